export { mutesPart } from './mute.export.ts';
export { muteRoutes } from './mute.routes.ts';
export { Mute } from './mute.schema.ts';
export { muteService, startMuteWorker, type TellMute } from './mute.service.ts';
export { deleteMutesOf, forgetMute, forgetMutes, isMutedPlace, listInMuted } from './mute.store.ts';
