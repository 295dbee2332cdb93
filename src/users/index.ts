export { imageRoutes } from './image.routes.ts';
export { imageService } from './image.service.ts';
export { type ImageVariant, imageVariants, type SummaryRow, type UserPresenter, userPresenter } from './user.present.ts';
export { userRoutes } from './user.routes.ts';
export { Installer, SessionUser, SignUp, PasswordChange, UserProfile, UserSummary, Image, type UnreadCounts } from './user.schema.ts';
export { emailKey, type UserFacts, type UserService, userService } from './user.service.ts';
export { findUser, findUserByEmail, markSeen } from './user.store.ts';
