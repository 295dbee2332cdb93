export default {
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  passwordHint: 'Mindestens 10 Zeichen; ein paar Wörter hintereinander sind ein gutes.',
  firstName: 'Vorname',
  lastName: 'Nachname',
  setUp: {
    title: 'Willkommen bei Parley',
    lead: 'Dieser Server ist neu. Das erste Konto verwaltet ihn.',
    submit: 'Konto anlegen',
  },
  signIn: {
    title: 'Anmelden',
    submit: 'Anmelden',
    wrong: 'Die Adresse oder das Passwort stimmt nicht.',
    forgot: 'Passwort vergessen?',
    noAccount: 'Noch kein Konto?',
    signUp: 'Konto anlegen',
    invited: 'Für diesen Server brauchst du eine Einladung: frage jemanden, der schon dabei ist.',
  },
  signUp: {
    title: 'Konto anlegen',
    submit: 'Konto anlegen',
    haveOne: 'Schon ein Konto?',
    closed: 'Dieser Server nimmt keine neuen Konten an.',
  },
};
