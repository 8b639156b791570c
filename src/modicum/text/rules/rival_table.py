"""Which tools and values rule each other out: for each purpose its options, each with the ways to write it. Data only."""

from typing import NamedTuple


class Purpose(NamedTuple):
    """A purpose in the table of rivals, for which a project has one option: all of them, and how a rule must speak to be about it."""

    name: str
    options: dict[str, str]  # name -> pattern
    about: str = ""  # a pattern that the rule or its heading must have
    unless: str = ""  # a pattern that shows that it is about something else
    apart: tuple[str, ...] = ()  # further kinds of scope in which two rules may differ
    stated: bool = False  # any mention counts: the options are values, not names of tools


def _tools(names: str) -> dict[str, str]:
    return {name: name.replace(".", r"\.").replace("+", r"\+").replace("_", "[ -]") for name in names.split()}


# fmt: off
PURPOSES: tuple[Purpose, ...] = (
    # Packages and builds.
    Purpose("the package manager", _tools("npm pnpm yarn bun"), unless=r"\bpublish|registry|\bnpm (?:audit|pack|token|login)"),
    Purpose("the Python package manager", {**_tools("pip poetry uv pipenv conda pdm hatch"), "pip": "pip3?"}, unless=r"\bhttps?:"),
    Purpose("the build tool", _tools("gradle maven ant bazel sbt"), unless="repositor|central"),
    Purpose("the build system", _tools("cmake meson bazel scons autotools xmake")),
    Purpose("the bundler", _tools("vite webpack rollup esbuild parcel rspack turbopack tsup"), about="bundl|build"),
    Purpose("the monorepo tool", _tools("nx turborepo lerna rush moon")),
    Purpose("the runtime", {"node": r"node(?:\.?js)?", "deno": "deno", "bun": "bun"}, about="runtime|run "),
    Purpose("the task runner", _tools("make just task rake gulp grunt invoke"), about="task|recipe|runner", unless=r"\bmake sure"),
    # Tests.
    Purpose("the test runner", _tools("jest vitest mocha ava jasmine tape karma qunit"), apart=("tests",)),
    Purpose("the Python test framework", _tools("pytest unittest nose nose2"), apart=("tests",)),
    Purpose("the end-to-end test tool", _tools("cypress playwright selenium puppeteer webdriverio testcafe nightwatch")),
    Purpose("the Java test framework", {"JUnit 4": "junit ?4", "JUnit 5": "junit ?5|junit jupiter", "TestNG": "testng", "Spock": "spock", "Kotest": "kotest"}),
    Purpose("the Java mocking library", _tools("mockito easymock mockk powermock jmock")),
    Purpose("the .NET test framework", {"xUnit": r"xunit(?:\.net)?", "NUnit": "nunit", "MSTest": "mstest"}),
    Purpose("the Ruby test framework", _tools("rspec minitest test-unit")),
    Purpose("the PHP test framework", _tools("phpunit pest codeception")),
    Purpose("the Go assertion style", {"testify": "testify", "the standard library": "standard (?:library )?`?testing`?"}),
    Purpose("the Swift test framework", {"XCTest": "xctest", "Swift Testing": "swift testing", "Quick": "quick/nimble"}),
    Purpose("the C++ test framework", {"GoogleTest": "googletest|gtest", "Catch2": "catch2", "doctest": "doctest", "Boost.Test": r"boost\.test"}),
    Purpose("the API mocking tool", _tools("msw nock wiremock mirage")),
    # Formatters, linters, types.
    Purpose("the formatter", _tools("prettier dprint biome standard"), about="format|style", unless="eslint"),
    Purpose("the Python formatter", {**_tools("black yapf autopep8 blue"), "ruff": "ruff format|ruff"}, about="format", unless="lint"),
    Purpose("the PHP formatter", {"Pint": "pint", "PHP-CS-Fixer": "php[- ]cs[- ]fixer", "PHPCBF": "phpcbf|php_codesniffer"}),
    Purpose("the Kotlin formatter", _tools("ktlint ktfmt"), about="format|style"),
    Purpose("the Ruby linter", _tools("rubocop standardrb reek"), about="lint|format|style"),
    Purpose("the C++ formatter", {"clang-format": "clang-format", "AStyle": "astyle", "uncrustify": "uncrustify"}),
    Purpose("the Java formatter", {"google-java-format": "google-java-format", "palantir-java-format": "palantir-java-format", "the Eclipse formatter": "eclipse formatter"}),
    Purpose("the linter", _tools("eslint biome tslint oxlint jshint xo"), about="lint", unless="format"),
    Purpose("the Python linter", _tools("flake8 pylint ruff pyflakes"), about="lint", unless="format"),
    Purpose("the Python type checker", _tools("mypy pyright pytype pyre ty")),
    Purpose("the PHP static analyser", _tools("phpstan psalm phan")),
    Purpose("the JavaScript style guide", {"Airbnb": "airbnb", "Google": "google (?:javascript |typescript )?style", "Standard": "standardjs"}),
    # Libraries.
    Purpose("the ORM", _tools("prisma drizzle typeorm sequelize knex mikroorm kysely objection mongoose"), unless="raw sql"),
    Purpose("the Python ORM", {**_tools("sqlalchemy peewee sqlmodel tortoise"), "the Django ORM": "django orm"}),
    Purpose("the state library", _tools("redux zustand mobx jotai recoil pinia vuex xstate valtio"), unless="server state"),
    Purpose("the CSS framework", {**_tools("tailwind bootstrap bulma emotion sass"), "tailwind": "tailwind(?: ?css)?", "styled-components": "styled-components", "CSS Modules": "css modules?"}),
    Purpose("the component library", {"Material UI": "material[ -]ui|mui", "Chakra": "chakra(?: ui)?", "Ant Design": "ant design|antd", "shadcn": "shadcn(?:/ui)?", "Mantine": "mantine"}),
    Purpose("the logging library", _tools("winston pino bunyan log4js loglevel consola")),
    Purpose("the Python logging library", _tools("loguru structlog")),
    Purpose("the Go logger", {"zap": "zap", "zerolog": "zerolog", "logrus": "logrus", "slog": "slog"}),
    Purpose("the Java logger", {"Log4j": "log4j2?", "Logback": "logback", "java.util.logging": r"java\.util\.logging"}),
    Purpose("the date library", {"moment": r"moment(?:\.?js)?", "dayjs": r"day\.?js", "date-fns": "date-fns", "luxon": "luxon"}),
    Purpose("the HTTP client", {"axios": "axios", "fetch": r"(?:native |built-in |the )?`?fetch(?:\(\))?`?(?= api| for|\W*$|`)", "got": "got", "ky": "ky", "superagent": "superagent"}, about="http|request|call"),
    Purpose("the Python HTTP client", _tools("httpx aiohttp urllib3"), about="http|request|client"),
    Purpose("the validation library", _tools("zod yup joi valibot ajv superstruct io-ts"), about="valid|schema|pars"),
    Purpose("the form library", {"React Hook Form": "react[ -]hook[ -]form", "Formik": "formik", "TanStack Form": "tanstack form"}),
    Purpose("the data fetching library", {"TanStack Query": "tanstack query|react query", "SWR": "swr", "Apollo": "apollo", "RTK Query": "rtk query"}),
    Purpose("the Rust error library", _tools("anyhow eyre thiserror snafu"), about="error", unless="librar|binar"),
    Purpose("the async runtime", {"tokio": "tokio", "async-std": "async-std", "smol": "smol"}),
    Purpose("the web framework", _tools("express fastify koa hono nestjs hapi"), about="server|route|http|api|framework|endpoint"),
    Purpose("the Python web framework", _tools("flask django fastapi starlette tornado"), about="server|route|http|api|framework|endpoint|service"),
    Purpose("the frontend framework", {"React": "react", "Vue": "vue", "Angular": "angular", "Svelte": "svelte", "Solid": "solidjs"}, about="component|framework|ui|front"),
    Purpose("the dependency injection library", _tools("hilt koin dagger inversify tsyringe"), unless="hilt and dagger"),
    Purpose("the JSON library", {"Jackson": "jackson", "Gson": "gson", "Moshi": "moshi", "kotlinx.serialization": "kotlinx[. ]serialization"}),
    Purpose("the internationalisation library", {"i18next": "(?:react-)?i18next", "FormatJS": "formatjs|react-intl", "LinguiJS": "lingui(?:js)?"}),
    # Services and infrastructure.
    Purpose("the infrastructure tool", {"Terraform": "terraform", "Pulumi": "pulumi", "CloudFormation": "cloud ?formation", "CDK": "(?:aws )?cdk", "OpenTofu": "opentofu", "Ansible": "ansible"}, about="infra|describ|provision|cloud"),
    Purpose("the container tool", _tools("docker podman nerdctl"), about="container|image|build|run"),
    Purpose("the Kubernetes packaging", _tools("helm kustomize jsonnet")),
    Purpose("the database", {"PostgreSQL": "postgres(?:ql)?", "MySQL": "mysql", "MariaDB": "mariadb", "SQLite": "sqlite", "MongoDB": "mongo(?:db)?", "SQL Server": "sql server"}, about="database|stor|persist|data", apart=("tests", "environment")),
    Purpose("the message broker", {"Kafka": "kafka", "RabbitMQ": "rabbitmq", "NATS": "nats", "SQS": "sqs", "Pulsar": "pulsar"}),
    Purpose("the cache", {"Redis": "redis", "Memcached": "memcached", "Valkey": "valkey"}, about="cach"),
    Purpose("the CI service", {"GitHub Actions": "github actions", "GitLab CI": "gitlab[ -]ci", "CircleCI": "circle ?ci", "Jenkins": "jenkins", "Azure Pipelines": "azure pipelines", "Buildkite": "buildkite"}),
    Purpose("the API style", {"REST": "rest(?:ful)?", "GraphQL": "graphql", "gRPC": "grpc", "tRPC": "trpc"}, about="api|endpoint|service|expos"),
    Purpose("the documentation tool", _tools("sphinx mkdocs docusaurus vitepress mdbook antora")),
    Purpose("the secret store", {"Vault": "(?:hashicorp )?vault", "AWS Secrets Manager": "(?:aws )?secrets manager", "1Password": "1password", "Doppler": "doppler", "SOPS": "sops"}, about="secret|credential"),
    Purpose("the issue tracker", {"Jira": "jira", "Linear": "linear", "GitHub issues": "github issues?", "YouTrack": "youtrack"}, about="issue|ticket|task|bug|track"),
    # Style.
    Purpose("tabs or spaces", {"tabs": "tabs?(?! (?:bar|key|order|name|panel|component)s?)", "spaces": "spaces"}, about=r"indent|tabs?\b", unless="tab (?:bar|order|key)|browser tab|open", apart=("text",), stated=True),
    Purpose("quotes", {"single quotes": "single[- ]quot(?:es|ed|e)", "double quotes": "double[- ]quot(?:es|ed|e)"}, apart=("text", "named"), stated=True),
    Purpose("semicolons", {"with semicolons": "(?:use|always|with|end[^.]{0,30}with) (?:a )?semicolons?", "without semicolons": "(?:no|without|omit|avoid|never use) semicolons?"}, stated=True),
    Purpose("trailing commas", {"with": "(?:use|always|with|add) trailing commas?", "without": "(?:no|without|omit|avoid) trailing commas?"}, stated=True),
    Purpose("line endings", {"LF": "(?<![a-z])lf|unix line endings?", "CRLF": "crlf|windows line endings?"}, about="line|end", stated=True),
    Purpose("the case of names", {"kebab-case": "kebab[- ]?case|dash-case", "PascalCase": "pascal[- ]?case|upper camel ?case", "camelCase": "(?<!upper )camel[- ]?case", "snake_case": "(?<!screaming[ _])snake[-_ ]?case", "SCREAMING_SNAKE_CASE": "screaming[-_ ]snake[-_ ]?case|upper[- ]snake[- ]case"}, apart=("named", "text"), stated=True),
    Purpose("singular or plural names", {"singular": "singular", "plural": "plural"}, about="name|table|route|endpoint|collection|resource|model", apart=("named",), stated=True),
    Purpose("spelling", {"British": "british(?: english| spelling)?", "American": "american(?: english| spelling)?|us english"}, about="spell|english|documentation|text|word", apart=("text",), stated=True),
    Purpose("the language of texts", {"English": "(?<!british )(?<!american )(?<!us )english", "German": "german", "French": "french", "Spanish": "spanish", "Chinese": "chinese", "Japanese": "japanese", "Portuguese": "portuguese", "Dutch": "dutch", "Italian": "italian"}, about=r"\b(?:write|written|answer|respond|reply|comments?|documentation|messages?|language)\b", unless="translat|locale|user", apart=("text", "named"), stated=True),
    Purpose("components as functions or classes", {"functions": "function(?:al)? components?", "classes": "class(?:-based)? components?"}, stated=True),
    Purpose("the Vue API", {"options": "options api", "composition": "composition api|script setup"}, stated=True),
    Purpose("exports", {"named": "named exports?", "default": "default exports?"}, unless="except|reserved|pages?", stated=True),
    Purpose("modules", {"ES modules": "es ?modules?|esm|es6 (?:modules|imports)", "CommonJS": "common ?js|`require`|cjs"}, unless="interop|both", stated=True),
    Purpose("imports", {"absolute": "absolute imports?", "relative": "relative imports?"}, unless="within|same", stated=True),
    Purpose("type declarations", {"interface": "`?interfaces?`?", "type": "`?type`? alias(?:es)?"}, about="object|shape|prop|prefer|declar|typ", stated=True),
    Purpose("asynchronous style", {"async/await": "async/await|async and await", "promise chains": r"promise chains?|`?\.?then\(?\)?`?(?: chains?)", "callbacks": "callbacks?"}, about="async|promise", stated=True),
    Purpose("time zones", {"UTC": "utc", "local time": "local time(?: ?zone)?"}, about="time|date|stor|timestamp", unless="show|display|format|render", apart=("text",), stated=True),
    Purpose("keys of rows", {"UUID": r"uuids?(?:v\d)?", "auto-increment": "auto-?increment(?:ed|ing)?(?: integers?| ids?)?|serial (?:ids?|integers?)", "ULID": "ulids?"}, about="key|id", stated=True),
    Purpose("errors", {"exceptions": "(?:throw|raise)(?:s|ing)? (?:an )?(?:exceptions?|errors?)", "results": "`?result`? (?:types?|objects?|values?)|return(?:s|ing)? (?:a )?`?result[`<]"}, stated=True),
    # Git.
    Purpose("how a branch is brought up to date", {"rebase": "rebas(?:e|es|ed|ing)", "merge": "merg(?:e|es|ed|ing) (?:`?(?:main|master|develop|trunk)`?|from)"}, about="branch|main|master|up to date|updat", unless="pull request|private|shared|interactive", stated=True),
    Purpose("how a pull request is merged", {"squash": "squash(?:ed|ing)?(?:[- ](?:and[- ])?merg(?:e|ed|ing))?", "merge commit": "merge commits?", "rebase": "rebase (?:and |&)?merg(?:e|ed|ing)"}, about=r"pull request|merge|\bprs?\b", unless=r"fix-?up|\bwip\b|before (?:review|opening|pushing)", stated=True),
    Purpose("the form of commit messages", {"Conventional Commits": "conventional commits?", "Gitmoji": "gitmoji|emoji prefix(?:es)?", "free text": "free[- ]form"}, about="commit", stated=True),
    Purpose("the tense of commit messages", {"imperative": "imperative(?: mood| present)?", "past tense": "past tense", "present tense": "(?<!imperative )present tense"}, about="commit|subject", stated=True),
    Purpose("the branching model", {"trunk": "trunk(?:-based)?(?: development)?", "Gitflow": "git-?flow"}, stated=True),
    Purpose("the main branch", {"main": "`main`", "master": "`master`", "develop": "`develop`"}, about="(?:branch(?:es)? (?:off|from)|pull requests? (?:go|against|to|target)|default branch|open pull requests|target)", unless="hotfix|release", stated=True),
)
# fmt: on
