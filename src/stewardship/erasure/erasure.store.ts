import { type ErasureRow, leasedQueue, statement } from '#schema';

export const beginErasure = statement<ErasureRow>()((q, p) =>
  q
    .insertInto('erasures')
    .values({
      subject_id: p.subject_id,
      kind: p.kind,
      step: p.step,
      place: p.place,
      due_at: p.due_at,
      lease_until: p.lease_until,
    })
    // A team that is deleted once more, or for good, begins at its first step.
    .onConflict((conflict) =>
      conflict.column('subject_id').doUpdateSet((eb) => ({
        kind: eb.ref('excluded.kind'),
        step: eb.ref('excluded.step'),
        place: eb.ref('excluded.place'),
        due_at: eb.ref('excluded.due_at'),
        lease_until: eb.ref('excluded.lease_until'),
      })),
    ),
);

export const {
  claimDue: claimDueErasures,
  renew: renewErasure,
  state: erasuresState,
} = leasedQueue('erasures', {
  key: 'subject_id',
  due: 'due_at',
  lease: 'lease_until',
});

export const saveErasure = statement<Omit<ErasureRow, 'kind'>>()((q, p) =>
  q
    .updateTable('erasures')
    .set({ step: p.step, place: p.place, due_at: p.due_at, lease_until: p.lease_until })
    .where('subject_id', '=', p.subject_id),
);

export const finishErasure = statement<{ id: string }>()((q, p) =>
  q.deleteFrom('erasures').where('subject_id', '=', p.id),
);
