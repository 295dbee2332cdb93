import { lookup as lookUp } from 'node:dns';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';

/** Lets `fetch` reach this machine under a name, as a proxy does that passes `Host` on. @returns what puts it back */
export function leadHere(name: string): () => void {
  const before = getGlobalDispatcher();
  const agent = new Agent({
    connect: {
      lookup: (asked, options, done) => lookUp(asked === name ? '127.0.0.1' : asked, options, done),
    },
  });
  setGlobalDispatcher(agent);
  return () => {
    setGlobalDispatcher(before);
    void agent.destroy();
  };
}
