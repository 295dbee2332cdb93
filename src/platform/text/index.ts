export { hexColor } from './color.ts';
export { emojiOf } from './emoji.ts';
export { inert, isOnServer, withoutInnerLinks } from './inner-address.ts';
export { cleanLine, withoutInvisible } from './line.ts';
export { linksIn } from './links.ts';
export { readMrkdwn, type Token } from './mrkdwn.ts';
export { normalized } from './normalized.ts';
export { plainExcerpt, plainText, shorten } from './plain-text.ts';
export { isSeen } from './seen.ts';
