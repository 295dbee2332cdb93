import mark from './mark.svg';

/** What the page itself holds until the first view is there (index.html). */
export const Starting = () => (
  <p className="starting">
    <img src={mark} alt="Parley" width="48" height="48" />
  </p>
);
