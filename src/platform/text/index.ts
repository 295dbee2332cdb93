export { hexColor } from './color.ts';
export { cleanLine, withoutInvisible } from './line.ts';
