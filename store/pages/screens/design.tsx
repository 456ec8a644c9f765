import { type ReactNode, useRef, useState } from 'react'
import { Bill, Sum } from '#web/bill.tsx'
import { Button, ButtonLink } from '#web/button.tsx'
import { Carousel } from '#web/carousel.tsx'
import { CopyButton } from '#web/copy-button.tsx'
import { Empty } from '#web/empty.tsx'
import { Fact, Facts } from '#web/facts.tsx'
import { Field } from '#web/field.tsx'
import { Icon, type IconName, iconNames } from '#web/icon.tsx'
import { Kinds } from '#web/kinds.tsx'
import { Loading } from '#web/loading.tsx'
import { Amount, Dollars, GroupedDigits } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Paging } from '#web/paging.tsx'
import { Panel } from '#web/panel.tsx'
import { Portrait } from '#web/portrait.tsx'
import { Question } from '#web/question.tsx'
import { Cell, Row } from '#web/row.tsx'
import { Search } from '#web/search.tsx'
import { Skeleton } from '#web/skeleton.tsx'
import { Status } from '#web/status.tsx'
import { Table } from '#web/table.tsx'
import { Tag } from '#web/tag.tsx'
import { TextLink } from '#web/text-link.tsx'
import { Happening, Timeline } from '#web/timeline.tsx'
import { toast } from '#web/toast.tsx'
import { Trail } from '#web/trail.tsx'
import { useListing } from '#web/use-listing.ts'
import { When } from '#web/when.tsx'

export const meta = () => [{ title: 'Design | Nucleus of PC' }]

/** Everything that screens are made of, with all its states: in development only, to look at after a change of `web/`. */
export default function Design() {
  return (
    <Page title="Design" lead="What the screens are made of. Switch the colours at the foot of the page, and narrow the window." wide>
      <nav aria-label="Parts" className="flex flex-wrap gap-x-4">
        {parts.map(({ title }) => (
          <TextLink key={title} to={`#${idOf(title)}`} className="inline-flex min-h-6 items-center">
            {title}
          </TextLink>
        ))}
      </nav>
      {parts.map(({ title, Part }) => (
        <section key={title} id={idOf(title)} aria-label={title} className="flex flex-col gap-4 border-t border-line pt-6">
          <h2 className="text-xl">{title}</h2>
          <Part />
        </section>
      ))}
    </Page>
  )
}

const idOf = (title: string) => title.toLowerCase().replaceAll(' ', '-')

const parts: { title: string; Part: () => ReactNode }[] = [
  { title: 'Colour', Part: Colour },
  { title: 'Type', Part: Type },
  { title: 'Space and shape', Part: Space },
  { title: 'Icons', Part: Icons },
  { title: 'Buttons', Part: Buttons },
  { title: 'Fields', Part: Fields },
  { title: 'Words and figures', Part: Words },
  { title: 'Notices', Part: Notices },
  { title: 'Boxes', Part: Boxes },
  { title: 'Bill and course', Part: BillAndCourse },
  { title: 'Tables', Part: Tables },
  { title: 'Questions and news', Part: Questions },
  { title: 'Waiting', Part: Waiting },
  { title: 'Nothing there', Part: NothingThere },
  { title: 'Carousel', Part: Slides },
  { title: 'Drawings', Part: Drawings },
]

const grounds: { ground: string; on: string[] }[] = [
  { ground: 'ground', on: ['ink', 'soft', 'leaf', 'copper', 'bad', 'good', 'warn'] },
  { ground: 'panel', on: ['ink', 'soft', 'leaf', 'copper', 'bad', 'good', 'warn'] },
  { ground: 'tint', on: ['ink', 'soft', 'leaf', 'good'] },
  { ground: 'copper', on: ['on-copper'] },
  { ground: 'copper-deep', on: ['on-copper'] },
  { ground: 'board', on: ['silk', 'silk-soft', 'gold'] },
  { ground: 'good-tint', on: ['good', 'ink'] },
  { ground: 'bad-tint', on: ['bad', 'ink'] },
  { ground: 'warn-tint', on: ['warn', 'ink'] },
]

/** Every ground with the words that may stand on it. */
function Colour() {
  return (
    <ul className="grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-5">
      {grounds.map(({ ground, on }) => (
        <li key={ground} className="rounded border border-line p-3 text-sm" style={{ background: `var(--${ground})` }}>
          {on.map((colour) => (
            <p key={colour} style={{ color: `var(--${colour})` }}>
              {colour} on {ground}
            </p>
          ))}
        </li>
      ))}
      <li className="flex flex-col gap-1 text-sm">
        Lines: <span className="border-b-2 border-line">line</span> <span className="border-b-2 border-edge">edge</span>
        <span className="on-board border-b-2 border-trace">trace</span> <span className="border-b-2 border-focus">focus</span>
      </li>
    </ul>
  )
}

const sizes = ['text-5xl', 'text-4xl', 'text-3xl', 'text-2xl', 'text-xl', 'text-lg', 'text-base', 'text-sm']

function Type() {
  return (
    <>
      {sizes.map((size) => (
        <p key={size} className={size}>
          One board, one hand <span className="figures">CMK16GX4M2B3200C16 $1,250</span> <span className="text-soft">{size}</span>
        </p>
      ))}
    </>
  )
}

function Space() {
  return (
    <div className="flex flex-wrap items-end gap-4">
      {['size-1', 'size-2', 'size-3', 'size-4', 'size-6', 'size-8', 'size-10', 'size-16'].map((size) => (
        <div key={size} className="text-center text-sm text-soft">
          <div className={`mx-auto bg-leaf ${size}`} />
          {size.replace('size-', '')} x 4 px
        </div>
      ))}
      <div className="rounded border border-line bg-panel p-4 text-sm">one radius</div>
      <div className="rounded bg-panel p-4 text-sm shadow">one shadow</div>
    </div>
  )
}

function Icons() {
  return (
    <ul className="flex flex-wrap gap-4">
      {iconNames.map((name: IconName) => (
        <li key={name} className="flex w-20 flex-col items-center gap-1 text-center text-sm text-soft">
          <Icon name={name} className="size-6 text-ink" />
          {name}
        </li>
      ))}
    </ul>
  )
}

function Buttons() {
  return (
    <>
      {(['action', 'offer', 'quiet', 'grave'] as const).map((look) => (
        <div key={look} className="flex flex-wrap items-center gap-3">
          <span className="w-16 text-soft">{look}</span>
          <Button look={look}>Order 25 for $400</Button>
          <Button look={look} busy busyWords="Ordering">
            Order
          </Button>
          <Button look={look} disabled>
            Not now
          </Button>
          <Button look={look} dense>
            In a row
          </Button>
          <ButtonLink look={look} to="#buttons">
            A link
          </ButtonLink>
        </div>
      ))}
    </>
  )
}

function Fields() {
  return (
    <div className="grid max-w-page gap-6 md:grid-cols-2 lg:grid-cols-3">
      <Field label="Name" name="full" autoComplete="off" />
      <Field label="Address" rows={3} hint="Required. Street, town, postal code and country" />
      <Field label="Phone number" type="tel" optional hint="With country code, like +1 555 010 0199" />
      <Field label="Price" inputMode="numeric" before="$" defaultValue="1,250" className="figures" />
      <Field label="Quantity" error="You must have to order 10 pieces" defaultValue="2" className="figures text-right" />
      <Field label="Password" type="password" defaultValue="shown on request" />
      <Field label="E-mail" readOnly value="buyer@nucleus.example" hint="Your account's" />
      <Field label="Not now" disabled />
    </div>
  )
}

function Words() {
  return (
    <Panel className="self-start">
      <Facts>
        <Fact name="Status">
          <span className="flex flex-wrap gap-2">
            <Status kind="good">Paid</Status>
            <Status kind="bad">Not paid yet</Status>
            <Status kind="neutral">Expired</Status>
          </span>
        </Fact>
        <Fact name="Tags">
          <Tag>DDR5</Tag> <Tag>32 GB</Tag>
        </Fact>
        <Fact name="Dollars">
          <Dollars amount={1250} />, <Amount amountCents={125050} />, <GroupedDigits number={46803} />
        </Fact>
        <Fact name="Moment">
          <When at="2026-11-21T14:05:00Z" />
        </Fact>
        <Fact name="Link">
          <TextLink to="#words-and-figures">Delivery and returns</TextLink>
        </Fact>
        <Fact name="Portrait">
          <Portrait src="" size={48} />
        </Fact>
        <Fact name="Trail">
          <Trail steps={[{ words: 'All tools', to: '#' }, { words: 'Memory', to: '#memory' }, { words: 'This page' }]} />
        </Fact>
      </Facts>
    </Panel>
  )
}

function Notices() {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Notice kind="success" title="Payment successfully done...">
        Print or save this receipt.
      </Notice>
      <Notice kind="info" title="You were signed out">
        Sign in to see your orders.
      </Notice>
      <Notice
        kind="warning"
        title="The price has changed to $420"
        action={
          <Button look="quiet" dense>
            Accept $420
          </Button>
        }
      >
        Nothing has been ordered yet.
      </Notice>
      <Notice kind="error" title="The card was declined">
        Try another card; what you typed is kept.
      </Notice>
    </div>
  )
}

function Boxes() {
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <Panel>listed: one of several</Panel>
      <Panel look="raised">raised: the one thing to do</Panel>
      <Panel look="sunk">sunk: further facts</Panel>
    </div>
  )
}

function BillAndCourse() {
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <Panel>
        <Bill>
          <Sum of="25 x $16">
            <Dollars amount={400} />
          </Sum>
          <Sum of="Total paid" final>
            <Dollars amount={400} />
          </Sum>
        </Bill>
        <p>
          <span className="figures">pi_3PcMOZmVxsQgv</span> <CopyButton label="transaction id" text="pi_3PcMOZmVxsQgv" />
        </p>
      </Panel>
      <Timeline label="What happened to an order">
        <Happening title="Ordered" at="2026-11-21T14:05:00Z">
          25 pieces
        </Happening>
        <Happening title="A card was declined" at="2026-11-21T14:06:00Z" kind="wrong">
          Nothing was charged.
        </Happening>
        <Happening title="Your payment" kind="next">
          Until 22 Nov 2026
        </Happening>
      </Timeline>
    </div>
  )
}

type Part = { name: string; price: number; stock: number }
const stocked: Part[] = Array.from({ length: 43 }, (_, place) => ({
  name: `Precision screwdriver ${place + 1}`,
  price: 7 + place,
  stock: (place * 37) % 90,
}))

function Tables() {
  const table = useRef<HTMLDivElement>(null)
  const kindOf = ({ stock }: Part) => (stock > 10 ? 'In stock' : 'Low')
  const listing = useListing(stocked, {
    text: ({ name }) => name,
    kind: kindOf,
    columns: { name: ({ name }) => name, price: ({ price }) => price, stock: ({ stock }) => stock },
  })
  const kinds = ['In stock', 'Low'].map((kind) => ({ kind, count: stocked.filter((part) => kindOf(part) === kind).length }))
  return (
    <>
      <Search listing={listing} label="Search parts" things={['part', 'parts']} />
      <Kinds listing={listing} label="Parts by stock" kinds={kinds} />
      <Table
        ref={table}
        caption="Parts"
        head={[
          { label: 'Name', sortBy: 'name' },
          { label: 'Price', figures: true, sortBy: 'price' },
          { label: 'Stock', figures: true, sortBy: 'stock' },
          { label: 'State' },
        ]}
        sorting={{ by: listing.view.sort, onSort: (sort) => listing.look({ sort }) }}
      >
        {listing.rows.map((part) => (
          <Row key={part.name}>
            <Cell label="Name" head>
              {part.name}
            </Cell>
            <Cell label="Price" figures>
              <Dollars amount={part.price} />
            </Cell>
            <Cell label="Stock" figures>
              {part.stock}
            </Cell>
            <Cell label="State">
              <Status kind={kindOf(part) === 'Low' ? 'bad' : 'good'}>{kindOf(part)}</Status>
            </Cell>
          </Row>
        ))}
      </Table>
      <Paging listing={listing} table={table} />
    </>
  )
}

function Questions() {
  const [open, setOpen] = useState(false)
  return (
    <div className="flex flex-wrap gap-3">
      <Button look="quiet" onClick={() => setOpen(true)}>
        Ask before deleting
      </Button>
      {(['success', 'info', 'warning', 'error'] as const).map((kind) => (
        <Button key={kind} look="quiet" onClick={() => toast(`News of the kind ${kind}`, { kind, detail: 'A second line says more' })}>
          Toast: {kind}
        </Button>
      ))}
      <Question
        open={open}
        title="Are you sure to Delete this product?"
        act="Delete Pliers"
        keep="Keep it"
        busyWords="Deleting"
        onAct={async () => setOpen(false)}
        onKeep={() => setOpen(false)}
      >
        Open orders keep it.
      </Question>
    </div>
  )
}

function Waiting() {
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <Loading>Preparing the card form</Loading>
      <Skeleton rows={5} />
    </div>
  )
}

function NothingThere() {
  return (
    <Empty scene="no-orders" title="No orders yet" actions={<ButtonLink to="/allproducts">All Tools Have on Stock</ButtonLink>}>
      What you order stands here, to be paid and followed.
    </Empty>
  )
}

function Slides() {
  return (
    <Carousel label="Examples" rowClassName="gap-4">
      {drawings.slice(0, 12).map((file) => (
        <Panel key={file} className="w-60 shrink-0 snap-start">
          <img src={file} alt="" width="240" height="160" />
        </Panel>
      ))}
    </Carousel>
  )
}

const drawings = Object.keys(import.meta.glob('/public/drawings/*.svg', { query: '?url' })).map((file) => file.replace('/public', ''))

function Drawings() {
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4 lg:grid-cols-6">
      {drawings.map((file) => (
        <li key={file} className={`rounded p-2 text-center text-sm ${file.includes('banner') ? 'on-board' : 'bg-tint'}`}>
          <img src={file} alt="" width="240" height="160" loading="lazy" className="h-auto w-full" />
          {file.replace('/drawings/', '').replace('.svg', '')}
        </li>
      ))}
    </ul>
  )
}
