export default {
  inbox: { title: 'Eingang' },
};
