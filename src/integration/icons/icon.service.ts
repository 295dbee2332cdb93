import { lookUp, NotFound } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { initialsPicture } from '../../people/users/index.ts';
import {
  type ApplicationFact,
  findAnyApplication,
  iconVersion,
  isPictureAddress,
} from '../applications/index.ts';
import { deleteIcon, findIcon, planIcon } from './icon.store.ts';

export type IconService = ReturnType<typeof iconService>;

export function iconService(deps: { db: Database; clock: Clock; wakeFetcher: () => void }) {
  const { db, clock, wakeFetcher } = deps;

  /** Runs in the transaction that changes an application. */
  async function onIconChange(tx: Tx, { application }: ApplicationFact): Promise<void> {
    const { id: applicationId, icon: source } = application;
    if (!isPictureAddress(source)) return void (await deleteIcon.run(tx, { applicationId }));
    await planIcon.run(tx, { applicationId, source, now: clock() });
    tx.afterCommit(wakeFetcher);
  }

  /**
   * A generated picture stands for one that is not fetched yet. @throws NotFound for another version than the present
   * one
   */
  async function show(id: string, version: string) {
    const application = await lookUp(id, (known) => findAnyApplication.first(db, { id: known }));
    if (iconVersion(application.icon) !== version) throw new NotFound();
    const icon = await findIcon.first(db, { applicationId: application.id });
    const fetched = icon?.source === application.icon ? icon.content : null;
    if (fetched !== null)
      return { contentType: 'image/webp', bytes: Buffer.from(fetched, 'base64'), isFetched: true };
    const { id: hueOf, name } = application;
    return { ...initialsPicture({ id: hueOf, first_name: name, last_name: '' }), isFetched: false };
  }

  return { onIconChange, show };
}
