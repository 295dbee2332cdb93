import { readConfig } from '../../src/process/config.ts';
import { databaseFile } from '../../src/process/database.ts';
import { multiplyRows } from '../support/multiply.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';
import { until } from '../support/until.ts';
import { STAGE_ENVIRONMENT, type Stage, setStage } from './stage.ts';

/** Two servers with the same things, one with four times as many rows of every kind. */
export class Worlds {
  readonly #copies: number;
  readonly #scenes = [1 / 4, 1].map((share) => ({
    share,
    // Workers that look around often would be measured as well.
    ...scene({ people: ['Ada', 'Bob'], environment: STAGE_ENVIRONMENT, options: { workerIntervalMs: 1000 } }),
  }));
  readonly #stages = new Map<number, Stage>();

  /** To be made at the top of a file: its servers start before the hooks that follow. */
  constructor(copies: number) {
    this.#copies = copies;
  }

  async fill(): Promise<void> {
    for (const { share, server, host, ada, bob } of this.#scenes) {
      this.#stages.set(share, await setStage(server, host, [ada, bob]));
      const { db } = server.running;
      multiplyRows(databaseFile(readConfig(server.environment, '')), this.#copies * share);
      // Calls to thousands of webhooks would be measured with whatever is asked meanwhile.
      await runSql(db, "UPDATE event_subscriptions SET ended = 'paused'");
      await until(async () => (await db.all('SELECT 1 FROM message_index_queue LIMIT 1', [])).length === 0);
    }
  }

  /** @param share 1, or a quarter */
  at = (share: number) => this.#stages.get(share) as Stage;
}
