const WIDTH = 1200;
const HEIGHT = 900;
const BERRIES = 24;

/** Drawn in code: the demo comes without files of others. @returns a JPEG */
async function painted(...parts: readonly string[]): Promise<Buffer> {
  // Loaded here, so that other commands start without the picture library.
  const { default: sharp } = await import('sharp');
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">`;
  return sharp(Buffer.from([head, ...parts, '</svg>'].join('')))
    .jpeg({ quality: 85 })
    .toBuffer();
}

/** A tart with strawberries on a table, from above. */
export function pictureOfTart(): Promise<Buffer> {
  const round = (radius: number, colour: string) =>
    `<circle cx="600" cy="450" r="${radius}" fill="${colour}"/>`;
  return painted(
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#c9a27a"/>`,
    round(390, '#f4f1ea'),
    round(330, '#d9963f'),
    round(295, '#f7dfa0'),
    ...Array.from({ length: BERRIES }, (_, index) => berry(index)),
  );
}

/** Set in a spiral by the golden angle, as seeds are in a sunflower. */
function berry(index: number): string {
  const angle = index * 2.4;
  const away = 52 * Math.sqrt(index + 0.3);
  const [x, y] = [600 + away * Math.cos(angle), 450 + away * Math.sin(angle)].map(Math.round);
  return `<circle cx="${x}" cy="${y}" r="38" fill="#b51f2e"/><circle cx="${x}" cy="${y}" r="22" fill="#d8434a"/>`;
}

const STRIPE = 100;
const SHELVES = [430, 610, 790];

/** The window of the shop from the street: an awning, and shelves with loaves, rolls and cakes. */
export function pictureOfWindow(): Promise<Buffer> {
  return painted(
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#27485e"/>`,
    '<rect x="70" y="200" width="1060" height="640" rx="14" fill="#fbe7b8"/>',
    '<rect x="70" y="200" width="1060" height="640" rx="14" fill="none" stroke="#f4f1ea" stroke-width="18"/>',
    ...SHELVES.map((y) => `<rect x="80" y="${y}" width="1040" height="14" fill="#a8703c"/>`),
    ...Array.from({ length: 6 }, (_, index) => loaf(180 + index * 168, SHELVES[0] as number)),
    ...Array.from({ length: 9 }, (_, index) => roll(150 + index * 112, SHELVES[1] as number)),
    ...Array.from({ length: 4 }, (_, index) => cake(210 + index * 260, SHELVES[2] as number, index)),
    ...Array.from({ length: WIDTH / STRIPE }, (_, index) => stripe(index)),
  );
}

const stripe = (index: number): string => {
  const colour = index % 2 === 0 ? '#b4541a' : '#f8f1e4';
  const x = index * STRIPE;
  return `<path d="M${x} 0h${STRIPE}v190a50 50 0 0 1-${STRIPE} 0z" fill="${colour}"/>`;
};

const loaf = (x: number, y: number): string =>
  `<path d="M${x - 70} ${y}c-16-120 156-120 140 0z" fill="#b8702c"/>${[-34, 0, 34]
    .map((by) => `<path d="M${x + by - 10} ${y - 62}l20 40" stroke="#f0c98a" stroke-width="9"/>`)
    .join('')}`;

const roll = (x: number, y: number): string =>
  `<ellipse cx="${x}" cy="${y - 26}" rx="46" ry="30" fill="#d3924a"/><path d="M${x - 24} ${y - 34}q24-18 48 0" stroke="#f3d7a2" stroke-width="7" fill="none"/>`;

const cake = (x: number, y: number, index: number): string => {
  const colour = ['#d8434a', '#f2b8c6', '#7c4a2d', '#8fb573'][index];
  return [
    `<rect x="${x - 80}" y="${y - 84}" width="160" height="84" rx="10" fill="#f6e3c2"/>`,
    `<path d="M${x - 80} ${y - 60}v-20q0-14 14-14h132q14 0 14 14v20q-20 26-40 0-20 26-40 0-20 26-40 0-20 26-40 0z" fill="${colour}"/>`,
    `<circle cx="${x}" cy="${y - 106}" r="16" fill="#b51f2e"/>`,
  ].join('');
};

/** The face of an incoming webhook: a sign on a colour. */
export async function drawSign(colour: string, path: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="${colour}"/><g fill="none" stroke="#fff" stroke-width="18" stroke-linecap="round" stroke-linejoin="round">${path}</g></svg>`;
  return sharp(Buffer.from(drawing)).png().toBuffer();
}
