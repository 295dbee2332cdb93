import { createHash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest. Started last, one of them would run on alone. */
const LONG = [
  'test/cli.test.ts',
  'test/authorization.test.ts',
  'test/docs.test.ts',
  'test/clock.test.ts',
  'test/crash.test.ts',
  'test/attacks/mass-assignment.test.ts',
  'src/conversation/attachments/attachments.test.ts',
  'src/stewardship/exports/export.test.ts',
  'test/web-developers.browser.test.ts',
  'test/web-administration.browser.test.ts',
];

/** Long files first, and otherwise an order drawn by the seed of the run. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    const drawn = (file: TestSpecification) =>
      createHash('sha256').update(`${seed} ${file.project.name} ${file.moduleId}`).digest('hex');
    const isShort = (file: TestSpecification) => !LONG.some((name) => file.moduleId.endsWith(`/${name}`));
    const keys = new Map(files.map((file) => [file, `${Number(isShort(file))} ${drawn(file)}`]));
    return files.sort((one, other) => ((keys.get(one) ?? '') < (keys.get(other) ?? '') ? -1 : 1));
  }
}
