import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** A member's note for a stand-up. */
export interface Note {
  /** The id of the event that brought it. */
  readonly event: string;
  readonly author: string;
  readonly name: string;
  /** As 2026-11-22, in UTC. */
  readonly day: string;
  readonly text: string;
}

interface Kept {
  /** By team. */
  notes: Record<string, Note[]>;
}

/** The bot's data, in one file that only its user may read. */
export class Storage {
  readonly #file: string;
  readonly #kept: Kept;

  constructor(file: string) {
    this.#file = file;
    this.#kept = read(file);
  }

  /** The newest note of a member on a day counts. An event that comes again changes nothing. */
  addNote(team: string, note: Note): void {
    const others = this.notes(team, note.day).filter(({ author }) => author !== note.author);
    this.#kept.notes[team] = [...others, note];
    this.#write();
  }

  notes(team: string, day: string): Note[] {
    return (this.#kept.notes[team] ?? []).filter((note) => note.day === day);
  }

  forgetTeam(team: string): void {
    delete this.#kept.notes[team];
    this.#write();
  }

  /** In one step: a crash leaves the file before it, or the one after it. */
  #write(): void {
    const beside = `${this.#file}.new`;
    writeFileSync(beside, JSON.stringify(this.#kept), { mode: 0o600 });
    renameSync(beside, this.#file);
  }
}

function read(file: string): Kept {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { notes: {} };
    throw error;
  }
}
