export { type Erasure, erasureService } from './erasure.service.ts';
export { erasuresState } from './erasure.store.ts';
export { BATCH as ERASED_AT_ONCE, inOrder, LATECOMERS_MS, type Step } from './step.ts';
