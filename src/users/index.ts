export { type ImageVariant, imageVariants, type SummaryRow, type UserPresenter, userPresenter } from './user.present.ts';
export { userRoutes } from './user.routes.ts';
export { Installer, SessionUser, SignUp, PasswordChange, UserProfile, UserSummary, Image, type UnreadCounts } from './user.schema.ts';
export { emailKey, type UserFacts, type UserService, userService } from './user.service.ts';
export { deleteImages, findImage, findUser, findUserByEmail, insertImage, markSeen } from './user.store.ts';
