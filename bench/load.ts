import autocannon from 'autocannon';

export const CONNECTIONS = 64;

/** A request that is made over and over. */
export interface Target {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface Measured {
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** @throws when an answer was not a success: a fast refusal is no figure */
export async function measure(target: Target, seconds: number): Promise<Measured> {
  const result = await autocannon({ ...target, connections: CONNECTIONS, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${target.url}: ${result.non2xx} answers were refusals, ${result.errors} errors`);
  }
  return { rate: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

/** Warms both up, then measures them in turns, so that what disturbs the machine disturbs both. */
export async function compare(
  subject: Target,
  reference: Target,
  seconds: number,
  rounds: number,
): Promise<{ subject: Measured; reference: Measured }> {
  const subjects: Measured[] = [];
  const references: Measured[] = [];
  for (const target of [subject, reference]) await measure(target, 1);
  for (let round = 0; round < rounds; round++) {
    subjects.push(await measure(subject, seconds));
    references.push(await measure(reference, seconds));
  }
  return { subject: middle(subjects), reference: middle(references) };
}

function middle(all: readonly Measured[]): Measured {
  const of = (name: keyof Measured) => median(all.map((one) => one[name]));
  return { rate: of('rate'), p50: of('p50'), p99: of('p99') };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
