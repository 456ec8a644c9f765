import { type Help as HelpContent, showHelp } from '#store/pages/contract.ts'
import { cacheUntilChanged } from '#store/topics.ts'
import { apiCallerContext } from '#web/api-caller.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { pageMeta } from '#web/page-meta.ts'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { Route } from './+types/help'

export const loader = ({ context }: Route.LoaderArgs) => context.get(apiCallerContext)(showHelp, {})

export const headers = () => cacheUntilChanged('listings')

export const meta: Route.MetaFunction = ({ matches: [root] }) =>
  pageMeta(
    'Help | Nucleus of PC',
    'Ordering in quantities, delivery, returns and refunds, paying by card, and whom to ask.',
    root.loaderData?.origin,
  )

/** Help for customers, linked from the footer of every page. */
export default function Help({ loaderData: { contact, chapters, example } }: Route.ComponentProps) {
  return (
    <Page title="Help" lead="Ordering, delivery, returns, and whom to ask.">
      {example && <Notice kind="info">An example: in a real shop the owner's own words stand here.</Notice>}
      <nav aria-label="Chapters">
        <ul className="flex flex-wrap gap-x-6">
          {[...chapters, { id: 'contact', title: 'Contact' }].map(({ id, title }) => (
            <li key={id}>
              <TextLink to={`#${id}`} className="inline-flex min-h-11 items-center pointer-fine:min-h-6">
                {title}
              </TextLink>
            </li>
          ))}
        </ul>
      </nav>
      {chapters.map((chapter) => (
        <Chapter key={chapter.id} {...chapter} />
      ))}
      <Contact {...contact} />
    </Page>
  )
}

function Chapter({ id, title, paragraphs }: HelpContent['chapters'][number]) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </section>
  )
}

function Contact({ email, answers }: HelpContent['contact']) {
  return (
    <Panel as="section" aria-labelledby="contact" className="flex flex-col gap-2">
      <h2 id="contact" className="text-xl">
        Contact
      </h2>
      <p>
        <a href={`mailto:${email}`} className="font-medium text-leaf underline underline-offset-2 hover:text-ink">
          {email}
        </a>
      </p>
      <p className="text-soft">{answers}</p>
    </Panel>
  )
}
