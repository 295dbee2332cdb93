const WIDTH = 1200;
const HEIGHT = 900;
const BERRIES = 24;

/** A tart with strawberries on a table, from above. @returns a JPEG */
export async function pictureOfTart(): Promise<Buffer> {
  // Loaded here, so that other commands start without the picture library.
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(drawing())).jpeg({ quality: 85 }).toBuffer();
}

function drawing(): string {
  const round = (radius: number, colour: string) =>
    `<circle cx="600" cy="450" r="${radius}" fill="${colour}"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#c9a27a"/>`,
    round(390, '#f4f1ea'),
    round(330, '#d9963f'),
    round(295, '#f7dfa0'),
    ...Array.from({ length: BERRIES }, (_, index) => berry(index)),
    '</svg>',
  ].join('');
}

/** Set in a spiral by the golden angle, as seeds are in a sunflower. */
function berry(index: number): string {
  const angle = index * 2.4;
  const away = 52 * Math.sqrt(index + 0.3);
  const [x, y] = [600 + away * Math.cos(angle), 450 + away * Math.sin(angle)].map(Math.round);
  return `<circle cx="${x}" cy="${y}" r="38" fill="#b51f2e"/><circle cx="${x}" cy="${y}" r="22" fill="#d8434a"/>`;
}
