export { insertAuthor, newAuthor, renameAuthor } from './author.store.ts';
export { checkEmail, domainOf, emailKey } from './email.ts';
export { imageRoutes } from './image.routes.ts';
export { imageService, setAuthorPicture } from './image.service.ts';
export {
  isInTeam,
  isKnownTo,
  type Onlooker,
  packWhereabouts,
  shareAnyTeam,
  unpackWhereabouts,
  whereaboutsColumns,
} from './known.store.ts';
export { chosenLanguage, directionOf, isolated, languageAsked, languageOf } from './language.ts';
export { linkPreviewsOf } from './link-previews.ts';
export { lockOnline, setOnline } from './online.store.ts';
export { namedLike } from './people-search.ts';
export { initialsPicture, refusedPicture, squarePicture, type Variants } from './picture.ts';
export { pictureReader, type ReadPicture } from './picture-upload.ts';
export { summaryWriter } from './summary.writer.ts';
export { picturePart, profilePart } from './user.export.ts';
export {
  namedFields,
  type PersonRow,
  prefsOf,
  type SummaryRow,
  summaryFields,
  type UserPresenter,
  userPresenter,
  withoutAddresses,
} from './user.present.ts';
export { userRoutes } from './user.routes.ts';
export {
  Image,
  type Language,
  MIN_PASSWORD,
  Password,
  PasswordChange,
  type PrefName,
  type Prefs,
  prefNames,
  SessionUser,
  SignUp,
  UnreadCounts,
  UserProfile,
  UserSummary,
} from './user.schema.ts';
export {
  addressConflict,
  checkTimeZone,
  isReserved,
  type NewUser,
  type UserFacts,
  type UserListener,
  type UserService,
  userService,
  type WhereaboutsChange,
  type WhereaboutsListener,
} from './user.service.ts';
export {
  findSummaries,
  findSummariesIn,
  findUser,
  findUserByEmail,
  listPrefs,
  listUsers,
  lockActiveUser,
  lockActiveUserAlone,
  lockSuperusers,
  lockUser,
  markEmailVerified,
  packSummary,
  setAllRead,
  summaryColumns,
  usernameTaken,
} from './user.store.ts';
export { type ShownStatus, type StatusColumns, whereaboutsOf } from './whereabouts.ts';
