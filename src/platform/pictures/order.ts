/** A kind of picture, by the name that its decoder has for it. */
export type PictureFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'heif';

export interface PictureSize {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** `cover` fills the box and crops, `inside` fits into it and never enlarges. */
  readonly fit: 'cover' | 'inside';
}

/** For pictures that may move: the first size, with all frames, where there are several. */
export interface Animation {
  readonly name: string;
  /** Frames of a picture; one with more is refused. */
  readonly most: number;
}

/** Bytes of one decoded frame: width × height × channels × bytes of a channel. */
export interface DecodedLimits {
  /** Of a picture that is read line by line. */
  readonly inLines: number;
  /** The bound for pictures decoded as a whole: every kind but plain PNG and plain JPEG. */
  readonly whole: number;
  /** AVIF is in memory several times. */
  readonly avif: number;
}

/** A request to the decoding process. */
export interface Order {
  readonly file: string;
  readonly format: PictureFormat;
  /** The first is made from the picture, the others from the first. */
  readonly sizes: readonly PictureSize[];
  readonly animation?: Animation;
  readonly quality: number;
  readonly limits: DecodedLimits;
  /** For each step, by the clock. */
  readonly seconds: number;
  /** Above so much the process ends itself. */
  readonly mostCpuMs: number;
  readonly mostResident: number;
}

/** The picture upright, and its sizes as WebP by their names. */
export interface Made {
  readonly width: number;
  readonly height: number;
  readonly sizes: ReadonlyMap<string, Uint8Array>;
}

/** `size`: it has more pixels than are decoded. `frames`: more than the order allows. `broken`: the decoder cannot read it. */
export type Outcome = Made | 'size' | 'frames' | 'broken';

/** What the process tells, besides outcomes, when it is up and while it works: how many bytes it has resident. */
export interface Report {
  readonly resident: number;
}
