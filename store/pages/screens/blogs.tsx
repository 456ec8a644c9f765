import type { ReactNode } from 'react'
import { cacheUntilChanged } from '#store/topics.ts'
import { Icon } from '#web/icon.tsx'
import { Page } from '#web/page.tsx'
import { pageMeta } from '#web/page-meta.ts'
import { Panel } from '#web/panel.tsx'
import type { Route } from './+types/blogs'
import searchByName from './search-by-name.ts?raw'

export const headers = () => cacheUntilChanged('listings')

export const meta: Route.MetaFunction = ({ matches: [root] }) =>
  pageMeta(
    'Simple Blog Q&A | Nucleus of PC',
    'Five short answers: fast React, where state belongs, prototypes, searching products by name, and why to write unit tests.',
    root.loaderData?.origin,
  )

export default function Blogs() {
  return (
    <Page
      title={
        <span className="flex items-center gap-3">
          <Icon name="question" className="size-8 text-copper sm:size-9" />
          Simple Blog Q&A
        </span>
      }
      lead="Five questions from interviews for work on web shops, with short answers."
    >
      <PerformanceQuestion />
      <StateQuestion />
      <PrototypesQuestion />
      <SearchQuestion />
      <TestsQuestion />
    </Page>
  )
}

function PerformanceQuestion() {
  return (
    <Question id="performance" asks="How do you improve the performance of a React application?">
      <p>
        Measure first. Web Vitals of real visitors say whether to send less or to render less; the Profiler says where. Judge the production
        build, on a slow phone.
      </p>
      <Points>
        <li>
          <b>Send less.</b> Render on the server, split the code by route, load data in parallel before rendering and not in effects after
          it.
        </li>
        <li>
          <b>Render less.</b> Keep state next to its use. Let React Compiler memoise; where it is not in use, add <Code>memo</Code> where
          the Profiler shows a cost.
        </li>
        <li>
          <b>Answer first.</b> A transition or <Code>useDeferredValue</Code> makes slow rendering interruptible. It makes nothing cheaper.
        </li>
        <li>
          <b>Keep what comes back.</b> A hidden <Code>{'<Activity>'}</Code> keeps its state and DOM while its effects are cleaned up.
        </li>
        <li>
          <b>Skip what is out of view.</b> <Code>content-visibility: auto</Code> keeps a long list searchable; virtualise one of thousands.
        </li>
      </Points>
      <Sample
        code={`const [wanted, setWanted] = useState('')
const shown = useDeferredValue(wanted)

<SearchField value={wanted} onChange={setWanted} />
<Results wanted={shown} /> {/* memoised, or it renders with every key */}`}
      />
    </Question>
  )
}

function StateQuestion() {
  return (
    <Question id="state" asks="What are the ways to manage state in React?">
      <p>Ask who owns it, and store nothing that can be computed while rendering.</p>
      <Points>
        <li>
          <b>One component:</b> <Code>useState</Code>, or <Code>useReducer</Code> when one event changes several values.
        </li>
        <li>
          <b>Several:</b> their nearest common parent. Context carries a value down, and all its readers render when it changes: fine for a
          theme, poor for a text field.
        </li>
        <li>
          <b>The address:</b> filters, sorting, the open tab. Links and Back then work by themselves.
        </li>
        <li>
          <b>The server:</b> what you hold is a cache. Leave staleness and races to the router or a query library;{' '}
          <Code>useActionState</Code> and <Code>useOptimistic</Code> serve the form on top.
        </li>
        <li>
          <b>Outside React:</b> a store or a browser API, read with <Code>useSyncExternalStore</Code>. Nothing tears, but such updates
          cannot be interrupted.
        </li>
      </Points>
      <Sample
        code={`const query = '(prefers-color-scheme: dark)'

function subscribe(changed: () => void) {
  const media = matchMedia(query)
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

const useDark = () =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false, // on the server, and while hydrating
  )`}
      />
    </Question>
  )
}

function PrototypesQuestion() {
  return (
    <Question id="prototypes" asks="How does prototypal inheritance work?">
      <p>
        Every object has a hidden link to another object, its prototype, or to <Code>null</Code>. Reading a property looks at the object
        itself and then along the links. Assigning makes an own property and leaves the prototype alone, unless the chain holds a setter or
        a read-only property of that name. In a method <Code>this</Code> is what stands before the dot in the call, wherever the method was
        found.
      </p>
      <Sample
        code={`const part = {
  label() {
    return \`\${this.maker} \${this.mpn}\`
  },
}
const fan = Object.create(part)
fan.maker = 'Acme'
fan.mpn = 'F-120'

fan.label() // 'Acme F-120'
Object.hasOwn(fan, 'label') // false: found on part
Object.getPrototypeOf(fan) === part // true`}
      />
      <p>
        <Code>class</Code> builds the same chain: methods lie once on <Code>prototype</Code>, and <Code>extends</Code> links the prototypes
        and the constructors. Private <Code>#fields</Code> take no part in it. Keep chains short and prefer composition. For keys that come
        from outside use a <Code>Map</Code>: a key called <Code>__proto__</Code> is how prototype pollution begins.
      </p>
    </Question>
  )
}

function SearchQuestion() {
  return (
    <Question id="search" asks="How do you search an array of products by name?">
      <p>
        With <Code>filter</Code>, after both sides have been brought into one form. Lower case alone is not enough: an e with an accent may
        be one code point or two, so <Code>normalize</Code> comes first, and only upper case makes the German sharp s equal to SS and the
        two small sigmas equal.
      </p>
      <Sample code={searchByName} />
      <p>
        <Code>localeCompare</Code> and <Code>Intl.Collator</Code> compare whole names: they sort, and with{' '}
        <Code>{"sensitivity: 'base'"}</Code> they find an equal name by the rules of a language (an a with a ring equals a in English, not
        in Swedish). They cannot say whether a name contains a word. One collator, made once, is much faster than <Code>localeCompare</Code>{' '}
        with options in a loop.
      </p>
      <p>
        The marks removed here are those of Latin, Greek and Cyrillic; in other scripts they make other words, and an o or l with a stroke
        would need a table. For a few thousand names fold each one once, beforehand. Beyond that, or to forgive typing errors, search in the
        database.
      </p>
    </Question>
  )
}

function TestsQuestion() {
  return (
    <Question id="tests" asks="Why do you write unit tests?">
      <p>So that code can still be changed when nobody remembers all that it promises.</p>
      <Points>
        <li>
          <b>They answer in seconds,</b> and the name of the failing test says which promise broke.
        </li>
        <li>
          <b>They make cases cheap:</b> limits, nothing at all, rounding, time zones. Through a browser each would take seconds.
        </li>
        <li>
          <b>They press on the design.</b> What is hard to test mostly does too much, or takes its clock and its database from nowhere.
        </li>
        <li>
          <b>They explain by example,</b> and the example cannot go out of date unnoticed.
        </li>
      </Points>
      <Sample
        code={`test('an order may take the last piece, and no more', () => {
  const stock = { minimum: 10, available: 40 }
  assert.equal(refusal(40, stock), undefined)
  assert.equal(refusal(41, stock), "You can't order more than 40 pieces")
})`}
      />
      <p>
        Test what the caller can see, not how it is done, or every refactoring turns the tests red. See each test fail once. Coverage shows
        what is untested, never what is tested well. And since sound parts can be put together wrongly, a few tests go in by the door.
      </p>
    </Question>
  )
}

function Question({ id, asks, children }: { id: string; asks: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 border-t border-line pt-6">
      <h2 id={id} className="text-xl">
        {asks}
      </h2>
      {children}
    </section>
  )
}

function Points({ children }: { children: ReactNode }) {
  return <ul className="flex list-disc flex-col gap-2 pl-5 marker:text-copper">{children}</ul>
}

function Code({ children }: { children: string }) {
  return <code className="figures rounded bg-tint px-1 py-0.5 text-[0.9em]">{children}</code>
}

/** Long lines wrap, since a scrollable sample would have to be focusable. */
function Sample({ code }: { code: string }) {
  return (
    <Panel as="pre" className="text-sm wrap-anywhere whitespace-pre-wrap">
      <code className="figures">{code.trim()}</code>
    </Panel>
  )
}
