import type { ReactNode } from 'react'
import { type PortfolioContent, showPortfolio } from '#store/pages/contract.ts'
import { cacheUntilChanged } from '#store/topics.ts'
import { apiCallerContext } from '#web/api-caller.ts'
import { Page } from '#web/page.tsx'
import { pageMeta } from '#web/page-meta.ts'
import { Panel } from '#web/panel.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { Tag } from '#web/tag.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { Route } from './+types/portfolio'

export const loader = ({ context }: Route.LoaderArgs) => context.get(apiCallerContext)(showPortfolio, {})

export const headers = () => cacheUntilChanged('listings')

export const meta: Route.MetaFunction = ({ loaderData, matches: [root] }) =>
  pageMeta(
    'My Portfolio | Nucleus of PC',
    loaderData
      ? `${loaderData.name}, ${loaderData.role}: education, skills and projects of who built this store.`
      : 'Who built this store.',
    root.loaderData?.origin,
  )

export default function MyPortfolio({ loaderData: portfolio }: Route.ComponentProps) {
  return (
    <Page wide title="My Portfolio">
      <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[20rem_1fr]">
        <Person portfolio={portfolio} />
        <div className="flex flex-col gap-10">
          <Education education={portfolio.education} />
          <Skills groups={portfolio.skills} />
          <Projects projects={portfolio.projects} />
        </div>
      </div>
    </Page>
  )
}

function Person({ portfolio: { name, role, photo, about, example } }: { portfolio: PortfolioContent }) {
  return (
    <Panel
      as="section"
      padding="wide"
      aria-labelledby="person"
      className="flex flex-col items-start gap-4 self-start sm:max-lg:flex-row sm:max-lg:gap-6"
    >
      <img
        src={photo}
        alt={`Portrait of ${name}`}
        width="240"
        height="240"
        className="aspect-square w-40 shrink-0 rounded object-cover lg:w-full"
      />
      <div className="flex flex-col items-start gap-1">
        <h2 id="person" className="text-xl">
          {name}
        </h2>
        <p className="font-medium text-leaf">{role}</p>
        {example && <StatusBadge kind="neutral">Example: an invented person</StatusBadge>}
        <p className="mt-2">{about}</p>
      </div>
    </Panel>
  )
}

function Education({ education }: Pick<PortfolioContent, 'education'>) {
  return (
    <Chapter id="education" title="Education">
      <ul className="flex flex-col gap-5">
        {education.map(({ title, school, years, about }) => (
          <li key={`${title} ${years}`} className="grid gap-x-6 sm:grid-cols-[9rem_1fr]">
            <p className="figures text-sm/6 text-soft">{years}</p>
            <div>
              <h3 className="text-base">{title}</h3>
              <p className="text-soft">{school}</p>
              {about && <p className="mt-1 max-w-read">{about}</p>}
            </div>
          </li>
        ))}
      </ul>
    </Chapter>
  )
}

function Skills({ groups }: { groups: PortfolioContent['skills'] }) {
  return (
    <Chapter id="skills" title="Skills">
      <div className="flex flex-col gap-5">
        {groups.map(({ group, skills }) => (
          <div key={group} className="grid gap-x-6 gap-y-2 sm:grid-cols-[9rem_1fr]">
            <h3 className="text-base sm:mt-1">{group}</h3>
            <ul className="flex flex-wrap gap-2">
              {skills.map((skill) => (
                <li key={skill} className="figures">
                  <Tag framed>{skill}</Tag>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Chapter>
  )
}

function Projects({ projects }: Pick<PortfolioContent, 'projects'>) {
  return (
    <Chapter id="projects" title="Projects">
      <ul className="grid gap-4 sm:grid-cols-2">
        {projects.map(({ name, about, link }) => (
          <Panel as="li" key={name}>
            <h3 className="text-base">
              {/* reloadDocument, because a URL from the content file may not be a route of the app */}
              <TextLink to={link} reloadDocument className="inline-flex min-h-11 items-center">
                {name}
              </TextLink>
            </h3>
            <p>{about}</p>
          </Panel>
        ))}
      </ul>
    </Chapter>
  )
}

function Chapter({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <h2 id={id} className="border-b border-line pb-2 text-xl">
        {title}
      </h2>
      {children}
    </section>
  )
}
