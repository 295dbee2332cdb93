import type { ServerResponse } from 'node:http';
import { ServerEvents } from '#api';

/** One client's stream of server-sent events. */
export class Stream extends ServerEvents {
  readonly userId: string;
  readonly sessionId: string;
  /** Its user's teams, by which it is found. */
  teams: readonly string[] = [];
  /** When its session ends, as far as is known. */
  goodUntil = Number.POSITIVE_INFINITY;
  /** Whether its user wants to see that others type. */
  showsTyping = false;
  /** The last event that it was sent. */
  place = 0;
  /** Whether it is sent what is new, rather than still what it missed. */
  isLive = false;

  constructor(userId: string, sessionId: string, response: ServerResponse) {
    super(response);
    this.userId = userId;
    this.sessionId = sessionId;
  }

  send(bytes: string | Buffer, place: number): void {
    if (this.isClosed) return;
    this.place = place;
    this.write(bytes);
  }

  /** Sends what matters only now: nobody waits for it, and it makes no queue. */
  pass(bytes: Buffer): void {
    if (this.isLive && !this.isClosed && !this.isBehind) this.write(bytes);
  }
}
