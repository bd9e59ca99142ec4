# An example: the chart of this repository with Amazon RDS for PostgreSQL, in an existing cluster and its network. It was never applied.
# Read it and adapt it: docs/guides/deploy.md.

terraform {
  required_version = ">= 1.5"
  required_providers {
    aws        = { source = "hashicorp/aws", version = "~> 6.0" }
    helm       = { source = "hashicorp/helm", version = "~> 3.0" }
    kubernetes = { source = "hashicorp/kubernetes", version = "~> 3.0" }
    random     = { source = "hashicorp/random", version = "~> 3.6" }
  }
}

provider "aws" {
  region = var.region
}

provider "kubernetes" {
  config_path = var.kubeconfig
}

provider "helm" {
  kubernetes = { config_path = var.kubeconfig }
}

# The database. Its administrator owns the database of the service.

resource "random_password" "database" {
  length  = 40
  special = false
}

resource "aws_db_subnet_group" "muster" {
  name       = "muster"
  subnet_ids = var.database_subnet_ids
}

resource "aws_security_group" "database" {
  name   = "muster-database"
  vpc_id = var.vpc_id

  ingress {
    from_port       = 5432
    to_port         = 5432
    protocol        = "tcp"
    security_groups = [var.node_security_group_id]
  }
}

resource "aws_db_instance" "muster" {
  identifier                = "muster"
  engine                    = "postgres"
  engine_version            = "17"
  instance_class            = var.database_instance_class
  allocated_storage         = 50
  max_allocated_storage     = 500
  storage_type              = "gp3"
  storage_encrypted         = true
  multi_az                  = true
  db_name                   = "muster"
  username                  = "muster"
  password                  = random_password.database.result
  db_subnet_group_name      = aws_db_subnet_group.muster.name
  vpc_security_group_ids    = [aws_security_group.database.id]
  backup_retention_period   = 14
  deletion_protection       = true
  final_snapshot_identifier = "muster-final"
}

# What the chart expects in the namespace. The state of Terraform contains these secrets: keep it encrypted.

resource "kubernetes_namespace_v1" "muster" {
  metadata {
    name = var.namespace
  }
}

resource "kubernetes_secret_v1" "database" {
  metadata {
    name      = "muster-database"
    namespace = kubernetes_namespace_v1.muster.metadata[0].name
  }
  data = {
    DATABASE_URL = "postgresql://muster:${random_password.database.result}@${aws_db_instance.muster.endpoint}/muster?sslmode=verify-full"
  }
}

resource "random_password" "auth" {
  for_each = toset(["AUTH_JWT_SECRET", "ACCOUNTS_SECRET"])
  length   = 48
  special  = false
}

resource "kubernetes_secret_v1" "auth" {
  metadata {
    name      = "muster-auth"
    namespace = kubernetes_namespace_v1.muster.metadata[0].name
  }
  data = { for name, password in random_password.auth : name => password.result }
}

resource "kubernetes_config_map_v1" "database_ca" {
  metadata {
    name      = "muster-database-ca"
    namespace = kubernetes_namespace_v1.muster.metadata[0].name
  }
  data = { "ca.crt" = file(var.database_ca_file) }
}

# The service.

resource "helm_release" "muster" {
  name      = "muster"
  namespace = kubernetes_namespace_v1.muster.metadata[0].name
  chart     = "${path.module}/../helm"
  timeout   = 1200
  values = [
    templatefile("${path.module}/muster-values.yaml.tftpl", {
      image_repository  = var.image_repository
      owner_email       = var.owner_email
      public_host       = var.public_host
      public_url        = "https://${var.public_host}"
      ingress_class     = var.ingress_class
      ingress_namespace = var.ingress_namespace
      tls_secret        = var.tls_secret
      database_ca       = kubernetes_config_map_v1.database_ca.metadata[0].name
      database_secret   = kubernetes_secret_v1.database.metadata[0].name
      auth_secret       = kubernetes_secret_v1.auth.metadata[0].name
      has_monitoring    = var.has_monitoring
      runbook_url       = var.runbook_url
    })
  ]
}
