import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { network } from '#platform/network.ts';
import { Unavailable } from '../errors.ts';

/** An answer ends when it is seen to stand still so many times, one after the other. */
const LOOKS = 4;

interface Watched {
  readonly socket: Socket;
  /** How far the reader was at the last look. */
  taken: string;
  /** Looks since then at which it was no further. */
  still: number;
}

/**
 * Ends answers that wait for a reader who takes nothing of them for `limitMs`: whole answers, files and streams of events.
 * A slow reader who moves is let finish, and work that has sent nothing yet is not looked at.
 * @returns a function that looks at them, for tests
 */
export function endUnreadAnswers(app: FastifyInstance, limitMs: number): () => void {
  const answers = new Map<ServerResponse, Watched>();
  app.server.on('request', ({ socket }, response) => {
    answers.set(response, { socket, taken: '', still: 0 });
    response.once('close', () => answers.delete(response));
  });
  const look = () => {
    for (const answer of answers.values()) if (standsStill(answer)) answer.socket.destroy();
  };
  const timer = setInterval(look, limitMs / LOOKS).unref();
  app.server.once('close', () => clearInterval(timer));
  return look;
}

function standsStill(answer: Watched): boolean {
  const { socket } = answer;
  const taken = socket.writableLength === 0 ? '' : takenFrom(socket);
  answer.still = taken !== '' && taken === answer.taken ? answer.still + 1 : 0;
  answer.taken = taken;
  return answer.still >= LOOKS;
}

/**
 * Tells how far the reader is. Writes that are done are not enough: a whole list is one write, and its reader may be slow.
 * Node itself tells a moving write from a standing one by the queue of its handle.
 */
function takenFrom(socket: Socket): string {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null };
  return `${socket.bytesWritten - socket.writableLength} ${handle?.writeQueueSize}`;
}

/** The most bytes that may wait for their readers. */
interface WaitingLimits {
  readonly ofNetwork: number;
  readonly ofAll: number;
}

export const WAITING: WaitingLimits = { ofNetwork: 64 * 1024 * 1024, ofAll: 256 * 1024 * 1024 };

/** Shorter ones rest in the buffers of the system. */
const SHORT_ANSWER = 16_384;

/**
 * Refuses long answers to readers whose network holds too many bytes already, or when all together do. One that is alone
 * is sent whatever its size. Requests that change something have done so: they are answered. Files and streams wait for
 * their readers with little in memory, and are not counted.
 */
export function boundWaitingAnswers(app: FastifyInstance, limits: WaitingLimits = WAITING): void {
  const ofNetworks = new Map<string, number>();
  let ofAll = 0;
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = Buffer.isBuffer(payload) ? payload.length : 0;
    // One whose reader has left waits for nothing, and would be counted forever: its `close` is over.
    if (bytes <= SHORT_ANSWER || reply.raw.destroyed) return done();
    const reader = network(request.ip);
    const waiting = ofNetworks.get(reader) ?? 0;
    const isTooMuch =
      (waiting > 0 && waiting + bytes > limits.ofNetwork) || (ofAll > 0 && ofAll + bytes > limits.ofAll);
    if (isTooMuch && (request.method === 'GET' || request.method === 'HEAD'))
      return done(new Unavailable('answers'));
    ofNetworks.set(reader, waiting + bytes);
    ofAll += bytes;
    reply.raw.once('close', () => {
      const left = (ofNetworks.get(reader) ?? bytes) - bytes;
      if (left === 0) ofNetworks.delete(reader);
      else ofNetworks.set(reader, left);
      ofAll -= bytes;
    });
    done();
  });
}
