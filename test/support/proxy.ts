import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ForwardingProxy {
  readonly url: string;
  /** The address from which the next requests seem to come. */
  client: string;
  stop(): Promise<void>;
}

/**
 * A proxy that forwards to a server and appends the client's address to X-Forwarded-For, like nginx
 * ($proxy_add_x_forwarded_for), Caddy and load balancers.
 */
export async function startProxy(target: string): Promise<ForwardingProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, answer) => {
    const { method, url: path, headers: given } = incoming;
    const forwarded = [given['x-forwarded-for'], proxy.client].flat().filter(Boolean).join(', ');
    const headers = { ...given, 'x-forwarded-for': forwarded };
    const outgoing = request({ hostname, port, method, path, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    client: '192.0.2.1',
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
