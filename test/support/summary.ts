import type { SerializedError } from 'vitest';
import { DefaultReporter, type TestModule, type TestRunEndReason, type TestSpecification } from 'vitest/node';

/**
 * The runner's summary, of all that ran: after a second run of a few files it still counts all the others. Names what
 * passed at its second run only, and why the first one failed: each is a fault to be found.
 */
export class Summary extends DefaultReporter {
  readonly #modules = new Map<string, TestModule>();
  readonly #failures = new Map<string, string>();

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    const begun = this.start;
    super.onTestRunStart(specifications);
    if (this.#modules.size > 0) this.start = begun;
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    for (const module of modules) this.#modules.set(module.id, module);
    this.#nameSecondRuns(modules);
    super.onTestRunEnd([...this.#modules.values()], errors, reason);
  }

  #nameSecondRuns(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests()) {
        const result = test.result();
        const reasons = result.errors?.map(({ stack, message }) => stack ?? message).join('\n') ?? '';
        if (result.state === 'failed') this.#failures.set(test.id, reasons);
        if (result.state !== 'passed') continue;
        const failure = test.diagnostic()?.flaky ? reasons : this.#failures.get(test.id);
        if (failure !== undefined)
          this.log(`PASSED AT ITS SECOND RUN  ${test.fullName} (${module.relativeModuleId})\n${failure}`);
      }
  }
}
