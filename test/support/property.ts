const factor = Number(process.env.PROPERTY_RUNS ?? 1);
if (!(factor > 0)) throw new Error('PROPERTY_RUNS is a factor above 0, as 2 or 0.5.');

/** How often a property is tried with new values; the variable `PROPERTY_RUNS` multiplies all of them. */
export const propertyRuns = (usual: number): number => Math.max(1, Math.round(usual * factor));
