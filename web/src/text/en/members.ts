/** Reading and writing. */
export default {
  inbox: { title: 'Inbox' },
};
