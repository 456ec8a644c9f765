// Runs a task of the store: installs missing packages, builds changed sources, then runs the task.
// Plain JavaScript for the machine's own Node (20 or newer). The tasks run on the Node from the installed packages.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findChromium } from './chromium.js'

const projectRoot = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..')
process.chdir(projectRoot)
const bin = path.join(projectRoot, 'node_modules/.bin')
// On a machine with much memory, V8 lets the heap grow to twice what the store needs: these flags collect earlier, at no measurable cost. And
// glibc keeps what pages were compressed in, an arena for each thread: with these settings it shares two, and gives back what is free.
const storeRuntime = JSON.parse(readFileSync('scripts/store-runtime.json', 'utf8'))
const environment = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` }

// Test processes and the stores that they start load the same modules, so they share a compile cache.
const compiledOnce = { NODE_COMPILE_CACHE: path.join(projectRoot, 'node_modules/.cache/compiled') }

const tasks = {
  async start() {
    await install({ tools: false })
    await build()
    await run(node(), [...storeRuntime.flags, 'build/process/server.js'], { NODE_ENV: 'production', ...storeRuntime.environment })
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
  async definitions() {
    await install({ tools: false })
    await run(node(), ['scripts/definitions.ts', ...process.argv.slice(3)], { NODE_ENV: 'production' })
  },
  async 'data:check'() {
    await install({ tools: false })
    await run(node(), ['scripts/data-check.ts'], { NODE_ENV: 'production' })
  },
  async 'check:books'() {
    await install({ tools: false })
    await run(node(), ['scripts/check-books.ts'], { NODE_ENV: 'production' })
  },
  async test() {
    await install({ tools: true })
    const chromium = findChromium(run) // a fetch waits for the network, so it goes on beside the checks
    chromium.catch(() => {}) // told where the browser is needed
    await step('Style', 'check:style')
    await Promise.all([step('Types', 'check:types'), build()])
    await step('Rules and calls', 'test:rules', compiledOnce)
    await step('Journeys in a browser', 'test:journeys', { ...compiledOnce, CHROMIUM: await chromium })
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
    // Mutants are checked for valid syntax with Node's type stripping, which prints an ExperimentalWarning.
    const flags = ['--disable-warning=ExperimentalWarning']
    const settings = { ...compiledOnce, CHROMIUM: await findChromium(run) }
    await run(node(), [...flags, 'proof/mutants/mutants.ts', ...process.argv.slice(3)], settings)
  },
  async pictures() {
    await install({ tools: true })
    await build()
    await run(node(), ['scripts/pictures.ts', ...process.argv.slice(3)], { CHROMIUM: await findChromium(run) })
  },
  async 'pictures:drawings'() {
    await install({ tools: true })
    await run(node(), ['scripts/contact-sheets.ts'], { CHROMIUM: await findChromium(run) })
  },
}

const task = tasks[process.argv[2]]
if (!task) throw new Error(`up ${Object.keys(tasks).join(' | ')}`)
await task()

/** Installs the packages of the lockfile, unless already installed. @param tools includes devDependencies, for tests and checks */
async function install({ tools }) {
  const stamp = 'node_modules/.installed'
  const wanted = digest(['package-lock.json'])
  const [installed, extent] = readIf(stamp).split(' ')
  if (installed === wanted && (extent === 'all' || !tools)) return
  console.log('Installing packages, once')
  await run('npm', ['ci', '--loglevel=error', ...(tools ? [] : ['--omit=dev'])])
  writeFileSync(stamp, `${wanted} ${tools ? 'all' : 'store'}`)
}

/** Builds the screens and the server, unless their sources are unchanged. */
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
    'shared',
    'public',
    'store',
    'web',
  ])
  if (readIf(stamp) === sources) return
  console.log('Building the store')
  rmSync(stamp, { force: true }) // an interrupted build must not count as complete
  await run('npm', ['run', '--silent', 'build'], { NODE_ENV: 'production' })
  writeFileSync(stamp, sources)
}

async function step(title, script, more) {
  console.log(`\n${title}`)
  await run('npm', ['run', '--silent', script], more)
}

/** The Node from the installed packages, or, if there is none for this platform, the machine's own, which must be new enough. */
function node() {
  const pinned = path.join(bin, 'node')
  if (existsSync(pinned)) return pinned
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return stop(`On this kind of machine the store needs Node 24 or newer, and this is ${process.version}`)
}

/** Runs a program and exits if it fails. Forwards SIGINT and SIGTERM. */
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

/** A hash of the content of these files and folders. */
function digest(paths) {
  const hash = createHash('sha256')
  const add = (file) => {
    hash.update(`${file}\0`)
    if (statSync(file).isDirectory()) for (const entry of readdirSync(file).sort()) add(`${file}/${entry}`)
    else hash.update(readFileSync(file))
  }
  for (const file of paths) add(file)
  return hash.digest('hex')
}
