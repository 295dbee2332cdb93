import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';

/** The time in milliseconds since 1970. Passed in, so that a test can move it. */
export type Clock = () => number;

/** A new row's id: UUIDv7, so that ids made later sort later. */
export function newId(): string {
  return v7();
}

/** A new client id or client secret: UUIDv4, which tells nothing about when it was made. */
export function newCredential(): string {
  return randomUUID();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @returns the id in its one stored form, or undefined when it is no UUID and so names nothing. */
export function parseId(value: unknown): string | undefined {
  return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : undefined;
}
