import type { Reporter, TestModule } from 'vitest/node';

/** Names what passed at its second run only, and why the first one failed: each is a fault to be found. */
export class SecondRuns implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests('passed')) {
        if (!test.diagnostic()?.flaky) continue;
        const reasons = (test.result().errors ?? []).map(({ stack, message }) => stack ?? message);
        process.stdout.write(`PASSED AT ITS SECOND RUN  ${test.fullName}\n${reasons.join('\n')}\n`);
      }
  }
}
