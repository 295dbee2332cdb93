/** The features of one face. */
export interface Portrait {
  readonly ground: string;
  readonly skin: string;
  readonly hair: string;
  readonly style: keyof typeof HAIR;
  readonly clothes: string;
  readonly extra?: keyof typeof EXTRAS;
}

const EDGE = 512;

/** Hair, as shapes behind the head and on it. */
const HAIR = {
  curls: {
    behind: [
      [256, 118, 62],
      [180, 150, 58],
      [332, 150, 58],
      [142, 214, 52],
      [370, 214, 52],
      [150, 284, 44],
      [362, 284, 44],
    ]
      .map(([x, y, radius]) => `<circle cx="${x}" cy="${y}" r="${radius}"/>`)
      .join(''),
    before: '<path d="M160 236c-8-86 44-120 96-120s104 34 96 120c-24-42-60-58-96-58s-72 16-96 58z"/>',
  },
  short: {
    behind: '',
    before:
      '<path d="M160 236c-10-92 40-128 100-128 66 0 104 42 92 128-12-40-24-58-44-66-46 10-92 4-118-8-16 18-24 40-30 74z"/>',
  },
  bun: {
    behind: '<circle cx="256" cy="88" r="50"/><circle cx="256" cy="226" r="112"/>',
    before: '<path d="M158 246c-6-88 38-130 98-130s104 42 98 130c-16-50-50-76-98-84-48 8-82 34-98 84z"/>',
  },
  cap: {
    behind: '<path d="M160 220h192v60c-6 20-186 20-192 0z"/>',
    before:
      '<path fill="#e4b23c" d="M154 206c0-72 46-104 102-104s102 32 102 104z"/><path fill="#c9962a" d="M150 206c60-20 180-24 250 2 8 12-2 20-14 18-80-12-170-12-236-4z"/>',
  },
  bob: {
    behind:
      '<path d="M140 250c0-96 50-142 116-142s116 46 116 142v82c0 16-40 22-58 10H198c-18 12-58 6-58-10z"/>',
    before: '<path d="M162 232c0-78 40-112 94-112s94 34 94 112c-20-6-38-26-48-54-28 26-88 34-140 54z"/>',
  },
  waves: {
    behind: '<path d="M150 250c-16-96 36-148 106-148s122 52 106 148c-4 30-208 30-212 0z"/>',
    before:
      '<path d="M160 232c-8-72 34-116 92-118 64-2 106 44 100 118-10-30-24-48-40-58-18 14-40 10-54-2-22 22-66 14-98 60z"/>',
  },
  long: {
    behind:
      '<path d="M138 250c0-98 50-146 118-146s118 48 118 146c0 70 22 120 8 190H130c-14-70 8-120 8-190z"/>',
    before: '<path d="M160 240c0-84 42-118 96-118s96 34 96 118c-18-34-52-56-96-90-44 34-78 56-96 90z"/>',
  },
} as const;

const EXTRAS = {
  glasses: () =>
    '<g fill="none" stroke="#2d2a2a" stroke-width="7"><circle cx="218" cy="252" r="27"/><circle cx="294" cy="252" r="27"/><path d="M245 250q11-9 22 0"/></g>',
  beard: (hair: string) =>
    `<path fill="${hair}" d="M162 262c8 96 48 122 94 122s86-26 94-122c-14 30-30 38-50 36-26-12-62-12-88 0-20 2-36-6-50-36z"/><path d="M228 322q28 20 56 0" fill="none" stroke="#7c3f2e" stroke-width="7" stroke-linecap="round"/>`,
} as const;

/** A face in flat colours, as an illustrator would draw the staff for the wall of the shop. @returns a PNG */
export async function drawPortrait(portrait: Portrait): Promise<Buffer> {
  // Loaded here, so that other commands start without the picture library.
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(drawing(portrait)))
    .png()
    .toBuffer();
}

function drawing({ ground, skin, hair, style, clothes, extra }: Portrait): string {
  const { behind, before } = HAIR[style];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${EDGE}" height="${EDGE}">`,
    `<rect width="${EDGE}" height="${EDGE}" fill="${ground}"/>`,
    `<g fill="${hair}">${behind}</g>`,
    `<path fill="${clothes}" d="M60 540c0-108 88-150 196-150s196 42 196 150z"/>`,
    `<path fill="${skin}" d="M208 330h96v62c0 26-22 46-48 46s-48-20-48-46z"/>`,
    // The shadow of the chin.
    '<path fill="#000" opacity=".12" d="M208 352c16 22 32 30 48 30s32-8 48-30v16c-14 26-30 36-48 36s-34-10-48-36z"/>',
    `<circle cx="160" cy="258" r="20" fill="${skin}"/><circle cx="352" cy="258" r="20" fill="${skin}"/>`,
    `<ellipse cx="256" cy="246" rx="98" ry="120" fill="${skin}"/>`,
    '<g fill="#e0705a" opacity=".28"><circle cx="196" cy="294" r="20"/><circle cx="316" cy="294" r="20"/></g>',
    '<g fill="#2a2020"><circle cx="218" cy="252" r="9"/><circle cx="294" cy="252" r="9"/></g>',
    '<path d="M222 314q34 30 68 0" fill="none" stroke="#8a3b32" stroke-width="8" stroke-linecap="round"/>',
    extra === 'beard' ? EXTRAS.beard(hair) : '',
    `<g fill="${hair}">${before}</g>`,
    extra === 'glasses' ? EXTRAS.glasses() : '',
    '</svg>',
  ].join('');
}
