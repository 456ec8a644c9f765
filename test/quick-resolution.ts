import { type ResolveFnOutput, registerHooks } from 'node:module'

/*
 * Loaded before a test run and before the commands that it starts. For each import of each module Node reads the package.json of its package
 * anew, with all of its `exports`: 180 kB for every module of drizzle-orm, and for every file of ours that imports it. That is the larger half
 * of what loading the store takes. Here an import of ours is resolved once, and what is next to an ESM module of these packages is ESM.
 */
const root = new URL('../', import.meta.url).href
const inEsmPackage = /\/node_modules\/(?:drizzle-orm|kysely|stripe)\/.*\.js$/
const packagesOfOurs = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL = '', conditions } = context
    if (!conditions.includes('import') || Object.keys(context.importAttributes).length > 0) return nextResolve(specifier, context)
    const isRelative = /^\.\.?\//.test(specifier)
    if (parentURL.startsWith(root) && !parentURL.includes('/node_modules/')) {
      if (specifier.endsWith('.ts') && (isRelative || specifier.startsWith('#'))) {
        const url = isRelative ? new URL(specifier, parentURL) : new URL(specifier.slice(1), root)
        return { url: url.href, format: 'module-typescript', shortCircuit: true }
      }
      if (!/^[@a-z][\w.-]*(?:\/|$)/.test(specifier)) return nextResolve(specifier, context)
      const resolved = packagesOfOurs.get(specifier) ?? { ...nextResolve(specifier, context), shortCircuit: true }
      packagesOfOurs.set(specifier, resolved)
      return resolved
    }
    if (isRelative && specifier.endsWith('.js') && inEsmPackage.test(parentURL))
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    return nextResolve(specifier, context)
  },
})
