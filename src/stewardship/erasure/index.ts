export { type Erasure, erasureService } from './erasure.service.ts';
export { erasuresState } from './erasure.store.ts';
export { inOrder, LATECOMERS_MS, PORTION as ERASED_AT_ONCE, type Step } from './step.ts';
