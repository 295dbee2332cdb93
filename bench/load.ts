import autocannon from 'autocannon';

export const CONNECTIONS = 64;

/** A request that is made over and over. */
export interface Target {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  /** `[<id>]` in it becomes another word in each request. */
  readonly body?: string;
  /** Bodies that take turns in place of one. Each connection begins with another one. */
  readonly bodies?: readonly string[];
  /** Of several requests that are made one after the other and counted as one. */
  readonly paths?: readonly string[];
  /** At once, in place of {@link CONNECTIONS}. */
  readonly connections?: number;
  /** Is given the body of each answer. */
  readonly onAnswer?: (body: string) => void;
}

export interface Measured {
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds, of one request. */
  readonly p50: number;
  readonly p99: number;
}

/** Two targets that were measured side by side. */
export interface Comparison {
  readonly subject: Measured;
  readonly reference: Measured;
  /** The median of the rounds' own ratios. */
  readonly ratio: number;
}

/** @throws when an answer was not a success: a fast refusal is no figure */
export async function measure(
  { onAnswer, bodies, paths, connections: own, ...target }: Target,
  seconds: number,
  connections = own ?? CONNECTIONS,
): Promise<Measured> {
  const all = bodies ?? [target.body];
  const onResponse = (status: number, body: string) => status === 200 && onAnswer?.(body);
  const requests = all.flatMap((body) =>
    (paths ?? [undefined]).map((path) => ({
      ...(path !== undefined && { path }),
      ...(body !== undefined && { body }),
      ...(onAnswer && { onResponse }),
    })),
  );
  let first = 0;
  const result = await autocannon({
    ...target,
    idReplacement: all.some((body) => body?.includes('[<id>]')),
    connections,
    duration: seconds,
    requests,
    setupClient: (client) => {
      first = (first + 1) % requests.length;
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
    },
  });
  if (result.non2xx > 0 || result.errors > 0) {
    const statuses = JSON.stringify(result.statusCodeStats);
    throw new Error(`${target.url}: refusals among ${statuses}, ${result.errors} errors`);
  }
  const rate = result.requests.average / (paths?.length ?? 1);
  return { rate, p50: result.latency.p50, p99: result.latency.p99 };
}

/**
 * Warms both up, then measures them in short alternating turns, so that a disturbance of the machine affects both.
 */
export async function compare(
  subject: Target | (() => Promise<Measured>),
  reference: Target | (() => Promise<Measured>),
  seconds: number,
  rounds: number,
): Promise<Comparison> {
  const subjects: Measured[] = [];
  const references: Measured[] = [];
  const measuring = (one: typeof subject) => (typeof one === 'function' ? one : () => measure(one, seconds));
  const [measureSubject, measureReference] = [measuring(subject), measuring(reference)];
  const measureInto = async (measured: () => Promise<Measured>, all: Measured[]) =>
    all.push(await measured());
  for (const measured of [measureSubject, measureReference]) await measured();
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) await measureInto(measureSubject, subjects);
    await measureInto(measureReference, references);
    if (round % 2 === 1) await measureInto(measureSubject, subjects);
  }
  const ratios = subjects.map(({ rate }, round) => rate / (references[round]?.rate ?? Number.NaN));
  return { subject: middle(subjects), reference: middle(references), ratio: median(ratios) };
}

function middle(all: readonly Measured[]): Measured {
  const of = (name: keyof Measured) => median(all.map((one) => one[name]));
  return { rate: of('rate'), p50: of('p50'), p99: of('p99') };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
