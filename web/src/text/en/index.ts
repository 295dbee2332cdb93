import account from './account.ts';
import common from './common.ts';
import developers from './developers.ts';
import entry from './entry.ts';
import members from './members.ts';
import search from './search.ts';
import shell from './shell.ts';

/** Every text of the web application, in ICU MessageFormat. */
export default { common, shell, entry, account, members, search, developers };
