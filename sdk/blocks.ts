/**
 * Blocks as functions. Each gives the plain JSON of the interface, so what they do not know can stand beside them. A bare
 * string is shown as it is; formatting is asked for by `mrkdwn` and `markdown`.
 */

export {
  button,
  checkboxes,
  confirm,
  datepicker,
  datetimepicker,
  emailInput,
  externalSelect,
  feedback,
  feedbackButtons,
  group,
  iconButton,
  linkOption,
  multiExternalSelect,
  multiSelect,
  multiUsersSelect,
  numberInput,
  option,
  overflow,
  radioButtons,
  richTextInput,
  select,
  textInput,
  timepicker,
  urlInput,
  usersSelect,
} from './block-elements.ts';
export {
  actions,
  alert,
  card,
  carousel,
  container,
  context,
  contextActions,
  dataTable,
  divider,
  fields,
  header,
  image,
  input,
  markdown,
  richText,
  section,
  table,
  time,
  withId,
} from './block-shapes.ts';
export { escaped as escape, link, mrkdwn, person, plain } from './block-words.ts';
