import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStoreUnavailable } from '#platform/files/index.ts';

/**
 * Passes content of exactly so many bytes, as the head of the answer has announced, and breaks the connection otherwise. Where
 * a body ends early or late, the client takes the next answer on the connection for a part of this one, or a part of this
 * one for an answer, and a proxy puts the answers of several people on one connection.
 */
export function ofExactLength(content: Readable, size: number): Readable {
  let passed = 0;
  const measured = new Transform({
    transform(chunk: Buffer, _, done) {
      passed += chunk.length;
      if (passed > size) done(new FileStoreUnavailable(`The stored file is longer than ${size} bytes`));
      else done(null, chunk);
    },
    flush(done) {
      if (passed === size) done();
      else done(new FileStoreUnavailable(`The stored file has ${passed} of ${size} bytes`));
    },
  });
  // Its error is that of the stream that is returned.
  pipeline(content, measured).catch(() => undefined);
  return measured;
}
