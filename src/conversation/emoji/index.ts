export { emojiPart } from './emoji.export.ts';
export { emojiRoutes } from './emoji.routes.ts';
export { CustomEmoji } from './emoji.schema.ts';
export { emojiService, MOST_EMOJI, MOST_EMOJI_OF_PERSON, type WhoAdds } from './emoji.service.ts';
export { isEmojiName, LONGEST_NAME } from './emoji-name.ts';
export { EMOJI_EDGE, MOST_EMOJI_BYTES, MOST_FRAMES } from './emoji-picture.ts';
