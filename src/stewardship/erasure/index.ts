export { type Erasure, erasureService } from './erasure.service.ts';
export { erasuresState } from './erasure.store.ts';
export { LATECOMERS_MS } from './person.steps.ts';
export { BATCH as ERASED_AT_ONCE } from './step.ts';
