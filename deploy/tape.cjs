'use strict';

const { gzipSync } = require('node:zlib');

const BLOCK = 512;

/** A tape archive (POSIX.1-2024, pax, "ustar Interchange Format") as npm unpacks it, compressed: the same bytes for the same files. */
function packed(files, seconds, level = 9) {
  const blocks = [...files].sort(byName).flatMap(([name, content]) => {
    const rest = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
    return [headerOf(`package/${name}`, content.length, seconds), content, rest];
  });
  const archive = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level });
  // The byte that names the system on which it was compressed (RFC 1952, 2.3): unknown.
  archive[9] = 255;
  return archive;
}

function headerOf(name, size, seconds) {
  const header = Buffer.alloc(BLOCK);
  const cut = name.length > 100 ? name.indexOf('/', name.length - 101) : -1;
  if (name.length > 100 && (cut < 0 || cut > 155))
    throw new Error(`The name is too long for an archive: ${name}`);
  header.write(name.slice(cut + 1), 0);
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  const isProgram = /\.sh$|\/bootstrap\.cjs$/.test(name);
  header.write(octal(isProgram ? 0o755 : 0o644, 8), 100);
  header.write(octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(seconds, 12), 108);
  header.write(`        0`, 148);
  header.write('ustar\0' + '00', 257);
  if (cut > 0) header.write(name.slice(0, cut), 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

const byName = ([a], [b]) => (a < b ? -1 : 1);

module.exports = { packed };
