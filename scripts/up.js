// Brings the store up from nothing: installs what is missing, builds what has changed, then does what is asked.
// Plain JavaScript, for whatever Node (20 or newer) the machine has; what is installed runs on the Node that comes with it.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findChromium } from './chromium.js'

const house = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..')
process.chdir(house)
const bin = path.join(house, 'node_modules/.bin')
// On a machine with much memory V8 lets garbage grow to twice what the store needs: here it sweeps earlier, at no cost that could be measured.
const storeFlags = JSON.parse(readFileSync('scripts/store-flags.json', 'utf8'))
const environment = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` }

// The processes of test files and each store of a test read the same modules: compiled once is enough.
const compiledOnce = { NODE_COMPILE_CACHE: path.join(house, 'node_modules/.cache/compiled') }

const tasks = {
  async start() {
    await install({ tools: false })
    await build()
    await run(node(), [...storeFlags, 'build/process/server.js'], { NODE_ENV: 'production' })
  },
  async dev() {
    await install({ tools: true })
    await run(node(), ['server.ts', '--development'])
  },
  async admin() {
    await install({ tools: false })
    await run(node(), ['scripts/admin.ts', ...process.argv.slice(3)], { NODE_ENV: 'production' })
  },
  async import() {
    await install({ tools: false })
    await run(node(), ['scripts/import.ts', ...process.argv.slice(3)], { NODE_ENV: 'production' })
  },
  async export() {
    await install({ tools: false })
    await run(node(), ['scripts/export.ts', ...process.argv.slice(3)], { NODE_ENV: 'production' })
  },
  async 'check:books'() {
    await install({ tools: false })
    await run(node(), ['scripts/check-books.ts'], { NODE_ENV: 'production' })
  },
  async test() {
    await install({ tools: true })
    await step('Style', 'check:style')
    await step('Types', 'check:types')
    await build()
    await step('Rules and calls', 'test:rules', compiledOnce)
    await step('Journeys in a browser', 'test:journeys', { ...compiledOnce, CHROMIUM: await findChromium(run) })
  },
  async bench() {
    await install({ tools: true })
    await build()
    await run(node(), ['bench/bench.ts'], { NODE_ENV: 'production' })
  },
  async lighthouse() {
    await install({ tools: true })
    await build()
    await run(node(), ['bench/lighthouse.ts', ...process.argv.slice(3)], { NODE_ENV: 'production', CHROMIUM: await findChromium(run) })
  },
  async proof() {
    await install({ tools: true })
    await build()
    await run(node(), ['proof/proof.ts'], { ...compiledOnce, CHROMIUM: await findChromium(run) })
  },
  async mutants() {
    await install({ tools: true })
    await build()
    // Whether a mutant is still a program is asked of Node's own stripping of types, which warns that it may change.
    const flags = ['--disable-warning=ExperimentalWarning']
    const settings = { ...compiledOnce, CHROMIUM: await findChromium(run) }
    await run(node(), [...flags, 'proof/mutants/mutants.ts', ...process.argv.slice(3)], settings)
  },
  async pictures() {
    await install({ tools: true })
    await build()
    await run(node(), ['scripts/pictures.ts', ...process.argv.slice(3)], { CHROMIUM: await findChromium(run) })
  },
}

const task = tasks[process.argv[2]]
if (!task) throw new Error(`up ${Object.keys(tasks).join(' | ')}`)
await task()

/** Installs exactly what the lockfile says, unless that stands already. @param tools with what only tests and checks need */
async function install({ tools }) {
  const stamp = 'node_modules/.installed'
  const wanted = digest(['package-lock.json'])
  const [installed, extent] = readIf(stamp).split(' ')
  if (installed === wanted && (extent === 'all' || !tools)) return
  console.log('Installing packages, once')
  await run('npm', ['ci', '--loglevel=error', ...(tools ? [] : ['--omit=dev'])])
  writeFileSync(stamp, `${wanted} ${tools ? 'all' : 'store'}`)
}

/** Builds the screens and the server, unless what they are made of is as it was. */
async function build() {
  const stamp = 'build/.made-of'
  const sources = digest([
    'package-lock.json',
    'tsconfig.web.json',
    'content/categories.json',
    'content/notices.json',
    ...readdirSync('.').filter((file) => file.endsWith('.ts')),
    'demo',
    'platform',
    'public',
    'store',
    'web',
  ])
  if (readIf(stamp) === sources) return
  console.log('Building the store')
  rmSync(stamp, { force: true }) // a build that is broken off must not pass for a whole one
  await run('npm', ['run', '--silent', 'build'], { NODE_ENV: 'production' })
  writeFileSync(stamp, sources)
}

async function step(title, script, more) {
  console.log(`\n${title}`)
  await run('npm', ['run', '--silent', script], more)
}

/** The Node that came with the packages; where there is none for this kind of machine, the machine's own must be new enough. */
function node() {
  const pinned = path.join(bin, 'node')
  if (existsSync(pinned)) return pinned
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return stop(`On this kind of machine the store needs Node 24 or newer, and this is ${process.version}`)
}

/** Runs a program to its end and ends with it if it fails. Signals are passed on; Ctrl-C reaches it by itself. */
function run(program, args, more = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit', env: { ...environment, ...more }, shell: process.platform === 'win32' })
    const pass = (signal) => child.kill(signal)
    process.on('SIGINT', pass).on('SIGTERM', pass)
    child.on('error', (error) => stop(`${program} cannot be run: ${error.message}`))
    child.on('exit', (code, signal) => {
      process.off('SIGINT', pass).off('SIGTERM', pass)
      if (code !== 0) process.exit(code ?? (signal ? 1 : 0))
      resolve()
    })
  })
}

function stop(message) {
  console.error(message)
  process.exit(1)
}

function readIf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** One name for the content of these files and everything in these folders. */
function digest(places) {
  const hash = createHash('sha256')
  const add = (place) => {
    hash.update(`${place}\0`)
    if (statSync(place).isDirectory()) for (const entry of readdirSync(place).sort()) add(`${place}/${entry}`)
    else hash.update(readFileSync(place))
  }
  for (const place of places) add(place)
  return hash.digest('hex')
}
