export { hexColor } from './color.ts';
export { cleanLine, isSeen, withoutInvisible } from './line.ts';
export { linksIn } from './links.ts';
export { plainText } from './plain-text.ts';
