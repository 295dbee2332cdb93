export { pictureRoutes } from './picture.routes.ts';
export { type PictureService, pictureService, type ShownPicture } from './picture.service.ts';
export { findAnyPicture, pageOfEveryPicture } from './picture.store.ts';
export { pictureReferences } from './reference.ts';
