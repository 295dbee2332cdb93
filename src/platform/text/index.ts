export { cleanLine, withoutInvisible } from './line.ts';
