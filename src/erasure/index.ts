export { type Erasure, erasureService } from './erasure.service.ts';
