/** The pages in front of the application: the first minute, signing in, invitations, passwords. */
export default {
  email: 'Email address',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: '10 characters or more; a few words in a row are a good one.',
  firstName: 'First name',
  lastName: 'Last name',
  setUp: {
    title: 'Welcome to Parley',
    lead: 'This server is new. The first account administers it.',
    submit: 'Create the account',
  },
  signIn: {
    title: 'Sign in',
    submit: 'Sign in',
    wrong: 'The address or the password is wrong.',
    forgot: 'Forgot the password?',
    noAccount: 'No account yet?',
    signUp: 'Sign up',
    invited: 'You need an invitation to join this server: ask somebody who is on it.',
  },
  signUp: {
    title: 'Create an account',
    submit: 'Create the account',
    haveOne: 'Have an account?',
    closed: 'This server takes no new accounts.',
  },
};
