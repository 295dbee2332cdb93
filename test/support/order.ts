import { createHash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { readDurations } from './durations.ts';

/**
 * The longest files first, so that none of them runs on alone at the end. The order of the others is drawn by the seed of
 * the run.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    const durations = readDurations();
    const keyed = files.map((file) => {
      const project = file.project.name;
      const seconds = durations[project]?.[file.moduleId.slice(root.length + 1)] ?? 0;
      const drawn = createHash('sha256').update(`${sequence.seed} ${project} ${file.moduleId}`).digest('hex');
      return { file, seconds, drawn };
    });
    keyed.sort((one, other) => other.seconds - one.seconds || (one.drawn < other.drawn ? -1 : 1));
    return keyed.map(({ file }) => file);
  }
}
