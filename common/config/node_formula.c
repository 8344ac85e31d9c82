/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses PRIORITYF by recursive descent into one coefficient for each
 * component, sets default coefficients, and prints a formula as text.
 */
#include "common/config/node_formula.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/decimal.h"
#include "common/util/memory.h"
#include "common/util/nearest.h"
#include "common/util/text.h"

/* What may stand in a formula: components, and the two words that a GRES follows. */
enum { CGRES = MAUI_NODE_COMPONENTS, AGRES, WORDS };

static const char *const names[WORDS + 1] = {
	[MAUI_NODE_ADISK] = "ADISK",
	[MAUI_NODE_AMEM] = "AMEM",
	[MAUI_NODE_APROCS] = "APROCS",
	[MAUI_NODE_ASWAP] = "ASWAP",
	[MAUI_NODE_CDISK] = "CDISK",
	[MAUI_NODE_CMEM] = "CMEM",
	[MAUI_NODE_CPROCS] = "CPROCS",
	[MAUI_NODE_CSWAP] = "CSWAP",
	[MAUI_NODE_JOBCOUNT] = "JOBCOUNT",
	[MAUI_NODE_LOAD] = "LOAD",
	[MAUI_NODE_PREF] = "PREF",
	[MAUI_NODE_PRIORITY] = "PRIORITY",
	[MAUI_NODE_RESAFFINITY] = "RESAFFINITY",
	[MAUI_NODE_SPEED] = "SPEED",
	[MAUI_NODE_USAGE] = "USAGE",
	[CGRES] = "CGRES",
	[AGRES] = "AGRES",
};

#define BIT(component) (1u << MAUI_NODE_##component)
static const unsigned int dynamic_components =
	BIT(ADISK) | BIT(AMEM) | BIT(APROCS) | BIT(ASWAP) | BIT(JOBCOUNT) | BIT(LOAD) | BIT(USAGE);

const char *maui_node_component_name(enum maui_node_component component)
{
	return component < MAUI_NODE_COMPONENTS ? names[component] : NULL;
}

bool maui_node_component_dynamic(enum maui_node_component component)
{
	if (component < MAUI_NODE_COMPONENTS)
		return dynamic_components >> component & 1;
	return component >= MAUI_NODE_AGRES && component < MAUI_NODE_TERMS;
}

const char *maui_node_term_name(const struct maui_node_gres *gres,
				enum maui_node_component component,
				char buffer[MAUI_NODE_TERM_NAME_SIZE])
{
	bool available = component >= MAUI_NODE_AGRES;
	unsigned int number = component - (available ? MAUI_NODE_AGRES : MAUI_NODE_CGRES);

	if (component < MAUI_NODE_COMPONENTS)
		return names[component];
	if (component >= MAUI_NODE_TERMS || !gres || number >= gres->count)
		return "";
	snprintf(buffer, MAUI_NODE_TERM_NAME_SIZE, "%s[%s]", names[available ? AGRES : CGRES],
		 gres->name[number]);
	return buffer;
}

/* Collect the terms that remain. */
static void node_formula_compile(struct maui_node_formula *formula)
{
	formula->term_count = 0;
	formula->dynamic = formula->counts_gres = false;
	for (unsigned int i = 0; i < MAUI_NODE_TERMS; i++) {
		if (formula->coefficient[i] == 0)
			continue;
		formula->terms[formula->term_count++] = (uint8_t)i;
		formula->dynamic = formula->dynamic || maui_node_component_dynamic(i);
		formula->counts_gres = formula->counts_gres || i >= MAUI_NODE_CGRES;
	}
}

/* The formula being read. */
struct reader {
	const char *text, *at;
	struct maui_node_gres *gres; /* may be NULL */
	struct maui_error *error;
	const char *place; /* of the error */
};

/* One term: a product and the component in it, if any. */
struct term {
	double product;
	enum maui_node_component component; /* MAUI_NODE_TERMS: none yet */
};

static int node_formula_refuse(struct reader *reader, const char *place, const char *why)
{
	reader->place = place;
	return maui_error_set(reader->error, EINVAL, "%s", why);
}

static void skip_blanks(struct reader *reader)
{
	while (maui_is_blank(*reader->at))
		reader->at++;
}

/* Signs before a factor: true for an odd number of '-'. */
static bool read_signs(struct reader *reader)
{
	bool negative = false;

	for (skip_blanks(reader); *reader->at == '+' || *reader->at == '-'; skip_blanks(reader))
		if (*reader->at++ == '-')
			negative = !negative;
	return negative;
}

static bool is_number(char c)
{
	return maui_is_digit(c) || c == '.';
}

static bool is_word(char c)
{
	return maui_is_digit(c) || (maui_upper(c) >= 'A' && maui_upper(c) <= 'Z') || c == '_';
}

static int check_range(struct reader *reader, const char *place, double number)
{
	if (fabs(number) <= MAUI_NODE_COEFFICIENT_LIMIT)
		return 0;
	reader->place = place;
	return maui_error_set(reader->error, ERANGE, "a coefficient is beyond +-%.0f",
			      MAUI_NODE_COEFFICIENT_LIMIT);
}

static int read_number(struct reader *reader, struct term *term)
{
	const char *place = reader->at;
	double number;
	int rc = maui_real_parse(place, &number, &reader->at);

	if (rc == -ERANGE)
		return check_range(reader, place, INFINITY);
	if (rc)
		return node_formula_refuse(reader, place, "a '.' alone is not a number");
	term->product *= number;
	return check_range(reader, place, term->product);
}

/* Why a word is not a component. */
static int refuse_word(struct reader *reader, const char *word, size_t size)
{
	char shown[MAUI_EXCERPT_SIZE];
	const char *nearest;

	reader->place = word;
	maui_excerpt(word, size, shown);
	for (unsigned int i = 0; i < WORDS; i++)
		if (maui_equals(word, size, names[i]))
			return maui_error_set(reader->error, EINVAL,
					      "components are in upper case: write %s, not '%s'",
					      names[i], shown);
	nearest = maui_nearest_of(word, size, names);
	return maui_error_set(reader->error, EINVAL, "there is no component '%s'%s%s", shown,
			      nearest ? "; the nearest is " : "", nearest ? nearest : "");
}

unsigned int maui_node_gres_number(struct maui_node_gres *gres, const char *name, size_t size)
{
	unsigned int number = 0;

	while (number < gres->count &&
	       (strlen(gres->name[number]) != size || memcmp(gres->name[number], name, size) != 0))
		number++;
	if (number == gres->count && number < MAUI_GRES_NAMES) {
		memcpy(gres->name[number], name, size);
		gres->name[number][size] = '\0';
		gres->count++;
	}
	return number;
}

/*
 * The bracket that closes a name: what follows is no part of it, but an operator or the end. NULL:
 * there is none.
 */
static const char *find_close(const char *name)
{
	const char *close = strchr(name, ']'), *next = close;

	for (; next && (next = strchr(next, ']')); next++)
		if (!next[1] || maui_is_blank(next[1]) || strchr("+-*/)", next[1]))
			return next;
	return close;
}

/* [gpu:a100] after a word: its number. */
static int read_gres(struct reader *reader, const char *word, unsigned int *ret_number)
{
	const char *name = reader->at + 1, *end;
	char shown[MAUI_EXCERPT_SIZE];

	reader->place = reader->at;
	if (*reader->at != '[')
		return maui_error_set(reader->error, EINVAL,
				      "%s needs the name of a GRES in brackets: %s[gpu]", word,
				      word);
	end = find_close(name);
	if (!end)
		return maui_error_set(reader->error, EINVAL, "']' is missing");
	reader->place = name;
	maui_excerpt(name, (size_t)(end - name), shown);
	if (!maui_gres_is_name(name, (size_t)(end - name)))
		return maui_error_set(reader->error, EINVAL,
				      "'%s' is not the name of a GRES, as in %s[gpu] or "
				      "%s[gpu:a100]",
				      shown, word, word);
	if (!strncmp(name, "license:", strlen("license:")))
		return maui_error_set(reader->error, EINVAL, "'%s': licenses belong to no node",
				      shown);
	*ret_number = MAUI_GRES_NAMES;
	if (reader->gres)
		*ret_number = maui_node_gres_number(reader->gres, name, (size_t)(end - name));
	if (*ret_number == MAUI_GRES_NAMES)
		return maui_error_set(reader->error, EINVAL, "more than %u GRES are named",
				      reader->gres ? MAUI_GRES_NAMES : 0);
	reader->at = end + 1;
	return 0;
}

static int read_component(struct reader *reader, struct term *term)
{
	const char *word = reader->at;
	unsigned int found = 0, number = 0;
	size_t size = 0;

	while (is_word(word[size]))
		size++;
	while (found < WORDS &&
	       (strlen(names[found]) != size || memcmp(names[found], word, size) != 0))
		found++;
	if (found == WORDS)
		return refuse_word(reader, word, size);
	if (term->component != MAUI_NODE_TERMS)
		return node_formula_refuse(
			reader, word, "a term has one component: products of two are not linear");
	reader->at = word + size;
	if (found >= MAUI_NODE_COMPONENTS) {
		int rc = read_gres(reader, names[found], &number);

		if (rc)
			return rc;
		found = found == CGRES ? MAUI_NODE_CGRES : MAUI_NODE_AGRES;
	}
	term->component = found + number;
	return 0;
}

/* What is found where a number or a component should be. */
static int refuse_factor(struct reader *reader)
{
	char shown[MAUI_EXCERPT_SIZE];

	reader->place = reader->at;
	if (!*reader->at)
		return maui_error_set(reader->error, EINVAL,
				      "a component or number is missing at the end");
	if (*reader->at == '(' || *reader->at == ')')
		return maui_error_set(reader->error, EINVAL,
				      "there are no parentheses: write the terms out");
	return maui_error_set(reader->error, EINVAL, "a component or number belongs here, not '%s'",
			      maui_excerpt(reader->at, 1, shown));
}

/* A number, a number followed by its component ("2 LOAD"), or a component. */
static int read_factor(struct reader *reader, struct term *term)
{
	int rc;

	if (read_signs(reader))
		term->product = -term->product;
	if (is_word(*reader->at) && !maui_is_digit(*reader->at))
		return read_component(reader, term);
	if (!is_number(*reader->at))
		return refuse_factor(reader);
	rc = read_number(reader, term);
	if (rc)
		return rc;
	skip_blanks(reader);
	return is_word(*reader->at) && !maui_is_digit(*reader->at) ? read_component(reader, term)
								   : 0;
}

static int read_term(struct reader *reader, struct term *term)
{
	int rc;

	*term = (struct term){1, MAUI_NODE_TERMS};
	while (!(rc = read_factor(reader, term))) {
		skip_blanks(reader);
		if (*reader->at != '*')
			break;
		reader->at++;
	}
	return rc;
}

/* After a term: the end, or the sign of the next one. */
static int check_behind(struct reader *reader)
{
	char shown[MAUI_EXCERPT_SIZE];
	char c = *reader->at;

	if (!c || c == '+' || c == '-')
		return 0;
	reader->place = reader->at;
	if (c == '/')
		return maui_error_set(reader->error, EINVAL,
				      "there is no division: multiply by the inverse");
	if (c == '(' || c == ')')
		return refuse_factor(reader);
	if (is_word(c) || is_number(c))
		return maui_error_set(reader->error, EINVAL, "'+', '-' or '*' is missing here");
	return maui_error_set(reader->error, EINVAL, "'+', '-' or '*' belongs here, not '%s'",
			      maui_excerpt(reader->at, 1, shown));
}

static int read_formula(struct reader *reader, struct maui_node_formula *formula)
{
	skip_blanks(reader);
	if (!*reader->at)
		return node_formula_refuse(reader, reader->at, "the formula is empty");
	do {
		const char *place = reader->at;
		struct term term;
		double *sum;
		int rc = read_term(reader, &term);

		if (!rc)
			rc = check_behind(reader);
		if (rc)
			return rc;
		sum = term.component == MAUI_NODE_TERMS ? &formula->constant
							: &formula->coefficient[term.component];
		*sum += term.product;
		rc = check_range(reader, place, *sum);
		if (rc)
			return rc;
	} while (*reader->at);
	return 0;
}

int maui_node_formula_parse(const char *text, struct maui_node_gres *gres,
			    struct maui_node_formula *ret_formula, size_t *ret_column,
			    struct maui_error *error)
{
	struct maui_node_formula formula = {.gres = gres};
	struct reader reader = {text, text, gres, error, text};
	int rc;

	if (!text || !ret_formula)
		return maui_error_set(error, EINVAL, "there is no formula");
	rc = read_formula(&reader, &formula);
	if (rc) {
		if (ret_column)
			*ret_column = (size_t)(reader.place - text) + 1;
		return rc;
	}
	node_formula_compile(&formula);
	*ret_formula = formula;
	return 0;
}

void maui_node_formula_default(struct maui_node_formula *ret_formula)
{
	memset(ret_formula, 0, sizeof(*ret_formula));
	ret_formula->coefficient[MAUI_NODE_PRIORITY] = 1;
	ret_formula->coefficient[MAUI_NODE_PREF] = 100;
	ret_formula->coefficient[MAUI_NODE_RESAFFINITY] = 100;
	node_formula_compile(ret_formula);
}

void maui_node_formula_set(struct maui_node_formula *formula, enum maui_node_component component,
			   double coefficient)
{
	if (component >= MAUI_NODE_COMPONENTS)
		return;
	if (!(coefficient >= -MAUI_NODE_COEFFICIENT_LIMIT)) /* NaN, too */
		coefficient = coefficient < 0 ? -MAUI_NODE_COEFFICIENT_LIMIT : 0;
	if (coefficient > MAUI_NODE_COEFFICIENT_LIMIT)
		coefficient = MAUI_NODE_COEFFICIENT_LIMIT;
	formula->coefficient[component] = coefficient;
	node_formula_compile(formula);
}

/* As short as possible without being a different number. */
static void print_amount(FILE *file, double amount)
{
	char text[32];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, amount);
		if (strtod(text, NULL) == amount)
			break;
	}
	fputs(text, file);
}

static void print_term(FILE *file, double coefficient, const char *component, bool first)
{
	double amount = coefficient < 0 ? -coefficient : coefficient;

	if (!first)
		fputs(coefficient < 0 ? " - " : " + ", file);
	else if (coefficient < 0)
		fputs("-", file);
	if (amount != 1 || !component)
		print_amount(file, amount);
	if (component)
		fprintf(file, "%s%s", amount != 1 ? "*" : "", component);
}

char *maui_node_formula_text(const struct maui_node_formula *formula)
{
	char name[MAUI_NODE_TERM_NAME_SIZE], *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	if (!file)
		maui_memory_short(sizeof(*file));
	for (unsigned int i = 0; i < formula->term_count; i++)
		print_term(file, formula->coefficient[formula->terms[i]],
			   maui_node_term_name(formula->gres, formula->terms[i], name), !i);
	if (formula->constant != 0 || !formula->term_count)
		print_term(file, formula->constant, NULL, !formula->term_count);
	if (fclose(file))
		maui_memory_short(size + 1);
	return text;
}
